//! `tumble schemes`: what is known about the schemes.

use crate::failure::Failure;
use crate::output::{self, Format, heading};
use crate::values;
use clap::{Args, ValueEnum};
use std::fmt::Write as _;
use tumble_rotation::math::trace::Precision;
use tumble_rotation::{Hook, Order, SchemeKind, trace};
use tumble_study::{conserved, scheme_table};

const EXAMPLES: &str = "\
Examples:
  tumble schemes                                     all of them in a table
  tumble schemes magnus-leapfrog                     orders, cost and source of one
  tumble schemes magnus-leapfrog --cuda double       the scheme as CUDA C
  tumble schemes --format csv > schemes.csv";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The scheme to tell everything about
    #[arg(
        value_name = "NAME",
        value_parser = values::named(values::scheme, values::scheme_names),
        hide_possible_values = true
    )]
    name: Option<SchemeKind>,

    /// Print the scheme as CUDA C instead, for this type of number
    #[arg(long, value_enum, value_name = "TYPE", requires = "name")]
    cuda: Option<CudaReal>,

    /// How the table is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The floating-point type of printed CUDA C.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CudaReal {
    /// f32
    Float,
    /// f64
    Double,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    match (options.name, options.cuda) {
        (None, _) => output::print(&output::table(&scheme_table(), options.format)),
        (Some(scheme), None) => output::print(&facts(scheme)),
        (Some(scheme), Some(real)) => output::print(&cuda(scheme, real)),
    }
}

/// The hooks of a step as CUDA C functions.
fn cuda(scheme: SchemeKind, real: CudaReal) -> String {
    let precision = match real {
        CudaReal::Float => Precision::Single,
        CudaReal::Double => Precision::Double,
    };
    let name = scheme.name().replace('-', "_");
    let memory = scheme.memory_width();
    let remembered = if memory == 0 { String::new() } else { format!(", memory ({memory})") };
    let mut text = format!(
        "// {}: {}\n// {}\n//\n\
         // in:  q (4), omega (3){remembered}, torque (3), principal moments (3), dt\n\
         // out: q (4), omega (3){remembered}; {name}_at_torque gives q and omega alone\n\
         // Compile with -fmad=false: the results are then those of the CPU, bit for bit.\n",
        scheme.name(),
        scheme.info().summary,
        scheme.info().citation.full,
    );
    let between = (0..).take(scheme.info().torque_times.len() - 1);
    let hooks = [(Hook::Start, "start".to_owned()), (Hook::BeforeTorque, "before_torque".into())]
        .into_iter()
        .chain([(Hook::AtTorque, "at_torque".into())])
        .chain(between.map(|stage| (Hook::BetweenTorques(stage), format!("between_torques_{stage}"))))
        .chain([(Hook::AfterTorque, "after_torque".into())]);
    for (hook, suffix) in hooks {
        let tape = trace::record(scheme, trace::Shape::General, hook);
        let _ = write!(text, "\n{}", tape.to_cuda(&format!("{name}_{suffix}"), precision));
    }
    text
}

/// Everything about one scheme.
fn facts(scheme: SchemeKind) -> String {
    let info = scheme.info();
    let mut text = format!("{}\n{}\n\n", heading(info.name), info.summary);
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(text, "{name:24}{value}");
    };
    fact("time level", info.time_level.name().into());
    let times: Vec<String> = info.torque_times.iter().map(f64::to_string).collect();
    let plural = if times.len() == 1 { "evaluation" } else { "evaluations" };
    fact("torque", format!("{} {plural} per step, at tₙ + {{{}}} Δt", times.len(), times.join(", ")));
    let order = |order: Order| format!("{} in q, {} in ω", order.q, order.omega);
    fact("order, free", order(info.orders.free));
    fact("order, body torque", order(info.orders.body_torque));
    fact("order, by orientation", order(info.orders.orientation_torque));
    fact("order, by velocity", order(info.orders.velocity_torque));
    fact("conserves to round-off", conserved(info.conserves));
    let unit =
        if info.normalises { "q is normalised after each step" } else { "q keeps its length by itself" };
    fact("length of q", unit.into());
    fact("operations per step", format!("{} flops, without the torque", trace::flops(scheme)));
    let memory = scheme.memory_width();
    fact("memory beside q and ω", if memory == 0 { "none".into() } else { format!("{memory} numbers") });
    let doi = info.citation.doi.map_or(String::new(), |doi| format!("\nhttps://doi.org/{doi}"));
    let _ = write!(text, "\n{}{doi}\n", info.citation.full);
    text
}
