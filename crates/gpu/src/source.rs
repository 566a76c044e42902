//! The program of a card: its struct, its constants, the physics of the engine printed as C, and the stages around them.

use crate::card::{CONTACT_TILE, EVALUATE_THREADS};
use crate::world::{ONE_PAIR, World};
use core::fmt::Write as _;
use tumble_dem::Precision;
use tumble_dem::law::{ContactModel, EnergyPower};
use tumble_dem::physics::ellipsoid::{FIRST_ROUNDS, ROUNDS};
use tumble_dem::physics::trace::masses::Stage;
use tumble_dem::physics::trace::{
    BodyKernel, FieldKernel, MeshKernel, Phase, PieceKernel, Pieces, Place, TouchKernel, WallKernel,
    record_phase, record_range,
};
use tumble_dem::plain::{FieldPlan, Model, Plan, Role};
use tumble_dem::wall::Side;
use tumble_math::trace::{Precision as Printed, Tape};
use tumble_rotation::Hook;
use tumble_rotation::trace::{Shape, record as record_hook};

/// The stages before any law, in an order in which each finds what it uses.
const BEFORE_LAWS: [&str; 9] = [
    include_str!("kernels/common.cu"),
    include_str!("kernels/pieces.cu"),
    include_str!("kernels/scan.cu"),
    include_str!("kernels/lists.cu"),
    include_str!("kernels/find.cu"),
    include_str!("kernels/walls.cu"),
    include_str!("kernels/meshes.cu"),
    include_str!("kernels/mesh_touches.cu"),
    include_str!("kernels/slots.cu"),
];

/// Those of a contact model. Where there are several, each has its own, in a namespace.
const OF_MODEL: [&str; 3] = [
    include_str!("kernels/contacts.cu"),
    include_str!("kernels/wall_contacts.cu"),
    include_str!("kernels/sums.cu"),
];

/// Their kernels, which have the number of the model after their name, where there are several.
const KERNELS_OF_MODEL: [&str; 3] = ["masses", "evaluate", "wall_contacts"];

/// And those after all laws.
const AFTER_LAWS: [&str; 4] = [
    include_str!("kernels/surfaces.cu"),
    include_str!("kernels/fields.cu"),
    include_str!("kernels/motion.cu"),
    include_str!("kernels/order.cu"),
];

/// The source of all kernels that a plan needs, with or without those for meshes.
pub(crate) fn source(plan: &Plan, meshes: bool) -> String {
    let real = printed(plan);
    let mut text = format!("typedef {} Real;\n", if real == Printed::Single { "float" } else { "double" });
    text.push_str(&World::declaration());
    let (host, has) = (plan.fields == FieldPlan::Host, |of: fn(&Model) -> bool| plan.models.iter().any(of));
    let any = |role: Role| plan.roles.iter().flatten().any(|own| *own == role);
    let (capsules, ellipsoids) = (any(Role::FirstEnd), any(Role::Ellipsoid));
    let constants = [
        ("SINGLE", (real == Printed::Single).into()),
        ("CONTACT_TILE", CONTACT_TILE),
        ("EVALUATE_THREADS", EVALUATE_THREADS as usize),
        ("MODELS", plan.models.len()),
        ("PAIR_CONSTANTS", plan.constants),
        ("KINDS", plan.kinds.len()),
        ("PAIR_GIVEN", (plan.materials == 1 && plan.constants <= ONE_PAIR).into()),
        ("MOST_MEMORY", plan.memory),
        ("DEED_STRIDE", deed_width(plan)),
        ("AVERAGE", plan.average.into()),
        ("SCHEME_MEMORY", plan.rotation.scheme.memory_width()),
        ("STAGGERED", plan.rotation.staggered.into()),
        ("TORQUE_AT_END", plan.rotation.torque_at_end.into()),
        ("SHOWS", plan.rotation.shows.into()),
        ("ANY_MASSES", any_masses(plan).into()),
        ("WALL_WORK", plan.wall_work),
        ("DRAG_LOSS", plan.drag_loss),
        ("FIELD_WORK", plan.field_work),
        ("HAND_WORK", plan.hand_work),
        ("ANY_FIELDS", plan.has_fields().into()),
        ("HOST_FIELDS", host.into()),
        ("DRAG", plan.drag.is_some().into()),
        ("ANY_HELD", plan.kinds.iter().any(|kind| kind.held).into()),
        ("CAPSULES", capsules.into()),
        ("ELLIPSOIDS", ellipsoids.into()),
        ("PIECES", (capsules || ellipsoids).into()),
        ("FIRST_ROUNDS", FIRST_ROUNDS),
        ("ROUNDS", ROUNDS),
        ("RANGED", has(|model| model.range > 0.0).into()),
        ("MESHES", meshes.into()),
        ("SURFACES", (meshes && plan.surface_interval.is_some()).into()),
        ("FIVE_HALVES", 1),
    ];
    define(&mut text, &constants);
    print(&mut text, physics_of_bodies(plan), real);
    print(&mut text, physics_of_touches(), Printed::Double);
    print(&mut text, physics_of_features(plan, meshes), Printed::Double);
    if capsules || ellipsoids {
        print(&mut text, physics_of_pieces(ellipsoids), Printed::Double);
    }
    text.push_str(&ranges(plan));
    let lost = LostColumns::of(plan);
    text.push_str(&lost.load_and_store());
    text.push_str(&BEFORE_LAWS.concat());
    for (number, model) in plan.models.iter().enumerate() {
        if plan.models.len() > 1 {
            let _ = writeln!(text, "namespace model_{number} {{");
        }
        let constants = [
            ("MODEL", number),
            ("CONSTANTS", model.constants),
            ("MEMORY", model.memory),
            ("OUTCOME", model.outcome),
            ("TURNS_BODIES", model.turns.into()),
            ("SEPARATION", model.separation),
            ("DEED", deed_numbers(model.lost.len())),
        ];
        define(&mut text, &constants);
        let kernels = KERNELS_OF_MODEL.iter().filter(|_| plan.models.len() > 1);
        for kernel in kernels.clone() {
            let _ = writeln!(text, "#define {kernel} {kernel}_{number}");
        }
        print(&mut text, physics_of_contacts(model.model), real);
        print(&mut text, physics_of_masses(model.model), Printed::Double);
        text.push_str(&lost.post(model));
        text.push_str(&OF_MODEL.concat());
        if plan.models.len() > 1 {
            let names = constants.iter().map(|(name, _)| *name).chain(kernels.copied());
            for name in names {
                let _ = writeln!(text, "#undef {name}");
            }
            text.push_str("}\n");
        }
    }
    if plan.models.len() > 1 {
        text.push_str(&one_after_the_other(plan.models.len()));
    }
    text.push_str(&AFTER_LAWS.concat());
    text
}

/// How far beyond touch contacts act, by model: constants of the materials and effective radius are given.
fn ranges(plan: &Plan) -> String {
    let (mut text, mut cases) = (String::new(), Vec::new());
    for (number, model) in plan.models.iter().enumerate().filter(|(_, model)| model.range > 0.0) {
        let name = format!("range_of_model_{number}");
        text.push_str(&record_range(model.model).to_cuda(&name, Printed::Double));
        let radius = format!("in[{}] = radius;", model.constants);
        cases.push(format!("if (model == {number}) {{ {radius} {name}(in, &range); }}"));
    }
    if cases.is_empty() {
        return text;
    }
    let copied = format!("for (int k = 0; k < {}; ++k) in[k] = constants[k];", plan.constants);
    let mut lines = vec![format!("double in[{}], range = 0.0;", plan.constants + 1), copied];
    lines.extend(cases);
    lines.push("return range;".into());
    text.push_str(&function(
        "double contact_range(const double *constants, u32 model, double radius)",
        &lines,
    ));
    text
}

/// The name of a kernel of a model, one of so many.
pub(crate) fn kernel_of_model(kernel: &str, model: usize, models: usize) -> String {
    if models == 1 { kernel.to_owned() } else { format!("{kernel}_{model}") }
}

fn define(text: &mut String, constants: &[(&str, usize)]) {
    for (name, value) in constants {
        let _ = writeln!(text, "#define {name} {value}");
    }
}

/// The precision of a run as functions of bodies and contacts are printed in it. What comes before a law is in double precision
/// always: see `docs/adr/0018-single-precision-is-arithmetic.md`.
fn printed(plan: &Plan) -> Printed {
    match plan.precision {
        Precision::Double => Printed::Double,
        Precision::Single => Printed::Single,
    }
}

fn print(text: &mut String, physics: Vec<(&'static str, Tape)>, precision: Printed) {
    for (name, tape) in physics {
        text.push_str(&tape.to_cuda(name, precision));
    }
}

/// What the contacts of all models do to a body: those of the first model come first.
fn one_after_the_other(models: usize) -> String {
    let mut lines = Vec::new();
    for model in 0..models {
        lines.push(format!("model_{model}::add_contacts(w, row, acting, lost);"));
    }
    function("void add_contacts(const World &w, u32 row, double *acting, double *lost)", &lines)
}

/// What happens to one body.
fn physics_of_bodies(plan: &Plan) -> Vec<(&'static str, Tape)> {
    let hook = |hook| record_hook(plan.rotation.scheme, Shape::WithInverses, hook);
    vec![
        ("body_kick", BodyKernel::Kick.record()),
        ("body_drift", BodyKernel::Drift.record()),
        ("body_show", BodyKernel::Show.record()),
        ("body_offset", BodyKernel::Offset.record()),
        ("field_hold", FieldKernel::Hold.record()),
        ("after_torque", hook(Hook::AfterTorque)),
        ("before_torque", hook(Hook::BeforeTorque)),
        ("at_torque", hook(Hook::AtTorque)),
    ]
}

/// What comes before a law: where things touch, and how far bodies go.
fn physics_of_touches() -> Vec<(&'static str, Tape)> {
    vec![
        ("touch_spheres", TouchKernel::Spheres.record()),
        ("touch_wall", TouchKernel::OnWall.record()),
        ("wall_power", TouchKernel::Power.record()),
        ("wall_plane", WallKernel::Plane.record()),
        ("wall_box", WallKernel::Box.record()),
        ("wall_cylinder_inside", WallKernel::Cylinder(Side::Inside).record()),
        ("wall_cylinder_outside", WallKernel::Cylinder(Side::Outside).record()),
        ("wall_frustum_inside", WallKernel::Frustum(Side::Inside).record()),
        ("wall_frustum_outside", WallKernel::Frustum(Side::Outside).record()),
        ("wall_move", WallKernel::Move.record()),
        ("body_displace", BodyKernel::Displace.record()),
        ("body_turning", BodyKernel::Turning.record()),
    ]
}

/// How pieces touch that are no spheres.
fn physics_of_pieces(ellipsoids: bool) -> Vec<(&'static str, Tape)> {
    let mut functions = vec![("pieces_nearest", PieceKernel::Nearest.record())];
    if ellipsoids {
        let begin = |place| PieceKernel::Begin(place).record();
        functions.extend([
            ("piece_solid", PieceKernel::Solid.record()),
            ("search_last", begin(Place::Last)),
            ("search_first", begin(Place::First)),
            ("search_axis", begin(Place::Axis)),
            ("search_closer", PieceKernel::Closer.record()),
            ("search_facing", PieceKernel::Facing.record()),
            ("search_turned", PieceKernel::Turned.record()),
            ("search_overlap", PieceKernel::Overlap.record()),
            ("pieces_touch", PieceKernel::Touch.record()),
            ("pieces_touch_of_any", PieceKernel::TouchOfAny.record()),
            ("solid_height", PieceKernel::Height.record()),
            ("solid_behind", PieceKernel::Behind.record()),
            ("solid_in_tube", PieceKernel::InTube.record()),
        ]);
    }
    functions
}

/// Functions of what only some worlds have.
fn physics_of_features(plan: &Plan, meshes: bool) -> Vec<(&'static str, Tape)> {
    let mut functions = Vec::new();
    if plan.has_fields() || plan.kinds.iter().any(|kind| kind.held) {
        functions.extend([
            ("field_drag", FieldKernel::Drag.record()),
            ("field_uniform", FieldKernel::Uniform.record()),
            ("field_attraction", FieldKernel::Attraction.record()),
            ("field_hand", FieldKernel::Hand.record()),
        ]);
    }
    if meshes {
        functions.extend([
            ("mesh_edge", MeshKernel::Edge.record()),
            ("mesh_corner", MeshKernel::Corner.record()),
            ("mesh_heights", MeshKernel::Heights.record()),
            ("mesh_triangle", MeshKernel::Triangle.record()),
            ("mesh_normal", MeshKernel::Normal.record()),
            ("mesh_with_square", MeshKernel::With(EnergyPower::Square).record()),
            ("mesh_with_five_halves", MeshKernel::With(EnergyPower::FiveHalves).record()),
            ("mesh_energy_square", MeshKernel::Energy(EnergyPower::Square).record()),
            ("mesh_energy_five_halves", MeshKernel::Energy(EnergyPower::FiveHalves).record()),
            ("mesh_touch_square", MeshKernel::Touch(EnergyPower::Square).record()),
            ("mesh_touch_five_halves", MeshKernel::Touch(EnergyPower::FiveHalves).record()),
            ("mesh_distance", MeshKernel::Distance.record()),
            ("mesh_borne", MeshKernel::Borne.record()),
        ]);
    }
    functions
}

/// What happens in one contact of a model, whatever touches.
fn physics_of_contacts(model: ContactModel) -> Vec<(&'static str, Tape)> {
    let phase = |phase| record_phase(model, Pieces::Known, phase);
    vec![
        ("contact_begin", phase(Phase::Begin)),
        ("contact_act", phase(Phase::Act)),
        ("contact_correct", phase(Phase::Correct)),
    ]
}

/// The masses behind contacts that act together.
fn physics_of_masses(model: ContactModel) -> Vec<(&'static str, Tape)> {
    vec![
        ("together_part", Stage::Part.record(model)),
        ("together_two", Stage::Two.record(model)),
        ("together_push", Stage::Push.record(model)),
        ("together_direct", Stage::Direct.record(model)),
        ("together_mass", Stage::Mass.record(model)),
    ]
}

/// A function of a device, of these lines.
fn function(head: &str, lines: &[String]) -> String {
    let mut text = format!("__device__ {head}\n{{\n");
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text.push_str("}\n");
    text
}

/// What a contact does to its bodies in every step: forces, torques and losses, in as many numbers as can be moved two at a time.
const fn deed_numbers(losses: usize) -> usize {
    (9 + losses).next_multiple_of(2)
}

/// The columns of books for the losses of contacts. They go to the books of their first bodies, by way of numbers of the thread.
struct LostColumns(Vec<usize>);

impl LostColumns {
    /// Those of all models, each once.
    fn of(plan: &Plan) -> Self {
        let mut columns: Vec<usize> = Vec::new();
        for [_, to] in plan.models.iter().flat_map(|model| &model.lost) {
            if !columns.contains(to) {
                columns.push(*to);
            }
        }
        Self(columns)
    }

    fn load_and_store(&self) -> String {
        let each = |line: &dyn Fn(usize, usize) -> String| {
            self.0.iter().enumerate().map(|(own, column)| line(own, *column)).collect::<Vec<_>>()
        };
        let mut text = format!("#define LOST {}\n", self.0.len());
        text.push_str(&function(
            "void load_lost(const World &w, u64 row, double *lost)",
            &each(&|own, column| format!("lost[{own}] = w.books[{column} * w.rows + row];")),
        ));
        text.push_str(&function(
            "void store_lost(const World &w, u64 row, const double *lost)",
            &each(&|own, column| format!("w.books[{column} * w.rows + row] = lost[{own}];")),
        ));
        text
    }

    /// From the outcomes of contacts of a model to those columns.
    fn post(&self, model: &Model) -> String {
        let own = |to: usize| self.0.iter().position(|column| *column == to).unwrap_or(0);
        let lost = || model.lost.iter().enumerate();
        let mut text = function(
            "void post_losses(const double *outcome, u64 stride, u64 place, double *lost)",
            &lost()
                .map(|(_, [from, to])| format!("lost[{}] += outcome[{from} * stride + place];", own(*to)))
                .collect::<Vec<_>>(),
        );
        text.push_str(&function(
            "void post_deed(const Real *deed, double *lost)",
            &lost().map(|(k, [_, to])| format!("lost[{}] += deed[{}];", own(*to), 9 + k)).collect::<Vec<_>>(),
        ));
        // Of an outcome: the force, the torque on the second body, which asks for no more, the one on the first, the losses.
        let mut numbers: Vec<String> = (0..3)
            .chain(9..12)
            .chain(6..9)
            .chain(model.lost.iter().map(|[from, _]| *from))
            .map(|from| format!("out[{from}]"))
            .collect();
        numbers.resize(deed_numbers(model.lost.len()), "(Real)0.0".into());
        let pairs = numbers.chunks_exact(2).enumerate();
        text.push_str(&function(
            "void store_deed(Real *deed, const Real *out)",
            &pairs
                .map(|(k, pair)| format!("store_two(deed + {}, {}, {});", 2 * k, pair[0], pair[1]))
                .collect::<Vec<_>>(),
        ));
        text
    }
}

/// Numbers of a contact in the table of what contacts do.
pub(crate) fn deed_width(plan: &Plan) -> usize {
    plan.models.iter().map(|model| deed_numbers(model.lost.len())).max().unwrap_or(0)
}

/// Whether anything asks for the masses behind contacts that act together.
pub(crate) fn any_masses(plan: &Plan) -> bool {
    plan.masses_matter.contains(&true)
}
