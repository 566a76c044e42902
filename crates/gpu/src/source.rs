//! The program of a card: its struct, its constants, the physics of the engine printed as C, and the stages around them.

use crate::world::World;
use core::fmt::Write as _;
use tumble_dem::physics::trace::masses::Stage;
use tumble_dem::physics::trace::{BodyKernel, Phase, Pieces, TouchKernel, WallKernel, record_phase};
use tumble_dem::plain::Plan;
use tumble_dem::wall::Side;
use tumble_math::trace::{Precision, Tape};
use tumble_rotation::Hook;
use tumble_rotation::trace::{Shape, record as record_hook};

/// The stages, in an order in which each finds what it uses.
const STAGES: [&str; 7] = [
    include_str!("kernels/common.cu"),
    include_str!("kernels/scan.cu"),
    include_str!("kernels/lists.cu"),
    include_str!("kernels/contacts.cu"),
    include_str!("kernels/walls.cu"),
    include_str!("kernels/motion.cu"),
    include_str!("kernels/order.cu"),
];

/// The source of all kernels that a plan needs.
pub(crate) fn source(plan: &Plan) -> String {
    let mut text = World::declaration();
    let constants = [
        ("CONSTANTS", plan.constants),
        ("MEMORY", plan.memory),
        ("OUTCOME", plan.outcome),
        ("AVERAGE", plan.average.into()),
        ("TURNS_BODIES", plan.turns.into()),
        ("SCHEME_MEMORY", plan.rotation.scheme.memory_width()),
        ("STAGGERED", plan.rotation.staggered.into()),
        ("TORQUE_AT_END", plan.rotation.torque_at_end.into()),
        ("SHOWS", plan.rotation.shows.into()),
        ("ANY_MASSES", any_masses(plan).into()),
    ];
    for (name, value) in constants {
        let _ = writeln!(text, "#define {name} {value}");
    }
    for (name, tape) in physics(plan) {
        text.push_str(&tape.to_cuda(name, Precision::Double));
    }
    text.push_str(&books(plan));
    for stage in STAGES {
        text.push_str(stage);
    }
    text
}

/// All functions of one body or one contact.
fn physics(plan: &Plan) -> Vec<(&'static str, Tape)> {
    let phase = |pieces, phase| record_phase(plan.model, pieces, phase);
    let hook = |hook| record_hook(plan.rotation.scheme, Shape::General, hook);
    vec![
        ("spheres_begin", phase(Pieces::Spheres, Phase::Begin)),
        ("spheres_act", phase(Pieces::Spheres, Phase::Act)),
        ("spheres_correct", phase(Pieces::Spheres, Phase::Correct)),
        ("wall_begin", phase(Pieces::Known, Phase::Begin)),
        ("wall_act", phase(Pieces::Known, Phase::Act)),
        ("wall_correct", phase(Pieces::Known, Phase::Correct)),
        ("touch_spheres", TouchKernel::Spheres.record()),
        ("touch_wall", TouchKernel::OnWall.record()),
        ("wall_power", TouchKernel::Power.record()),
        ("together_part", Stage::Part.record(plan.model)),
        ("together_two", Stage::Two.record(plan.model)),
        ("together_push", Stage::Push.record(plan.model)),
        ("together_direct", Stage::Direct.record(plan.model)),
        ("together_mass", Stage::Mass.record(plan.model)),
        ("wall_plane", WallKernel::Plane.record()),
        ("wall_box", WallKernel::Box.record()),
        ("wall_cylinder_inside", WallKernel::Cylinder(Side::Inside).record()),
        ("wall_cylinder_outside", WallKernel::Cylinder(Side::Outside).record()),
        ("wall_frustum_inside", WallKernel::Frustum(Side::Inside).record()),
        ("wall_frustum_outside", WallKernel::Frustum(Side::Outside).record()),
        ("wall_move", WallKernel::Move.record()),
        ("body_move", BodyKernel::Move.record()),
        ("body_show", BodyKernel::Show.record()),
        ("body_displace", BodyKernel::Displace.record()),
        ("body_place", BodyKernel::Place.record()),
        ("after_torque", hook(Hook::AfterTorque)),
        ("before_torque", hook(Hook::BeforeTorque)),
        ("at_torque", hook(Hook::AtTorque)),
    ]
}

/// What a contact does to its bodies in every step: forces, torques and losses, in as many numbers as can be moved two at a time.
const fn deed_numbers(losses: usize) -> usize {
    (9 + losses).next_multiple_of(2)
}

/// The losses of contacts: to the books of their first bodies, by way of numbers of the thread.
fn books(plan: &Plan) -> String {
    let losses = plan.lost.len();
    let mut columns: Vec<usize> = Vec::new();
    for [_, to] in &plan.lost {
        if !columns.contains(to) {
            columns.push(*to);
        }
    }
    let own = |to: usize| columns.iter().position(|column| *column == to).unwrap_or(0);
    let mut text = format!(
        "#define LOST {}\n#define DEED {}\n#define SEPARATION {}\n#define WALL_WORK {}\n",
        columns.len(),
        deed_numbers(losses),
        plan.separation,
        plan.wall_work
    );
    let mut function = |head: &str, lines: Vec<String>| {
        let _ = writeln!(text, "__device__ void {head}\n{{");
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
        text.push_str("}\n");
    };
    let each = |line: &dyn Fn(usize, usize) -> String| {
        columns.iter().enumerate().map(|(own, column)| line(own, *column)).collect::<Vec<_>>()
    };
    function(
        "load_lost(const World &w, u64 row, double *lost)",
        each(&|own, column| format!("lost[{own}] = w.books[{column} * w.rows + row];")),
    );
    function(
        "store_lost(const World &w, u64 row, const double *lost)",
        each(&|own, column| format!("w.books[{column} * w.rows + row] = lost[{own}];")),
    );
    let lost = || plan.lost.iter().enumerate();
    function(
        "post_losses(const double *outcome, u64 stride, u64 place, double *lost)",
        lost()
            .map(|(_, [from, to])| format!("lost[{}] += outcome[{from} * stride + place];", own(*to)))
            .collect(),
    );
    function(
        "post_deed(const double *deed, double *lost)",
        lost().map(|(k, [_, to])| format!("lost[{}] += deed[{}];", own(*to), 9 + k)).collect(),
    );
    // Of an outcome: the force, the torque on the second body, which asks for no more, the one on the first, the losses.
    let mut numbers: Vec<String> = (0..3)
        .chain(9..12)
        .chain(6..9)
        .chain(plan.lost.iter().map(|[from, _]| *from))
        .map(|from| format!("out[{from}]"))
        .collect();
    numbers.resize(deed_numbers(losses), "0.0".into());
    let pairs = numbers.chunks_exact(2).enumerate();
    function(
        "store_deed(double *deed, const double *out)",
        pairs
            .map(|(k, pair)| format!("((double2 *)deed)[{k}] = make_double2({}, {});", pair[0], pair[1]))
            .collect(),
    );
    text
}

/// Numbers of a contact in the table of what contacts do.
pub(crate) fn deed_width(plan: &Plan) -> usize {
    deed_numbers(plan.lost.len())
}

/// Whether anything asks for the masses behind contacts that act together.
pub(crate) fn any_masses(plan: &Plan) -> bool {
    plan.masses_matter.contains(&true)
}
