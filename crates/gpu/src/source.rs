//! The program of a card: its struct, its constants, the physics of the engine printed as C, and the stages around them.

use crate::world::World;
use core::fmt::Write as _;
use tumble_dem::physics::trace::masses::Stage;
use tumble_dem::physics::trace::{self, BodyKernel, Pieces, TouchKernel, WallKernel};
use tumble_dem::plain::Plan;
use tumble_dem::wall::Side;
use tumble_math::trace::{Precision, Tape};
use tumble_rotation::Hook;
use tumble_rotation::trace::{Shape, record as record_hook};

/// The stages, in an order in which each finds what it uses.
const STAGES: [&str; 6] = [
    include_str!("kernels/common.cu"),
    include_str!("kernels/scan.cu"),
    include_str!("kernels/lists.cu"),
    include_str!("kernels/contacts.cu"),
    include_str!("kernels/walls.cu"),
    include_str!("kernels/motion.cu"),
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
        ("SCHEME_MEMORY", plan.scheme.memory_width()),
        ("STAGGERED", plan.staggered.into()),
        ("TORQUE_AT_END", plan.torque_at_end.into()),
        ("SHOWS", plan.shows.into()),
    ];
    for (name, value) in constants {
        let _ = writeln!(text, "#define {name} {value}");
    }
    for (name, tape) in physics(plan) {
        text.push_str(&tape.to_cuda(name, Precision::Double));
    }
    text.push_str(&books(plan));
    STAGES.iter().for_each(|stage| text.push_str(stage));
    text
}

/// All functions of one body or one contact.
fn physics(plan: &Plan) -> Vec<(&'static str, Tape)> {
    let hook = |hook| record_hook(plan.scheme, Shape::General, hook);
    vec![
        ("contact_spheres", trace::record(plan.model, Pieces::Spheres)),
        ("contact_known", trace::record(plan.model, Pieces::Known)),
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

/// The books of a body that contacts write to, in numbers of the thread; the others stay where they are.
fn books(plan: &Plan) -> String {
    let mut columns = vec![plan.separation, plan.wall_work];
    for [_, to] in &plan.lost {
        if !columns.contains(to) {
            columns.push(*to);
        }
    }
    let mut text = format!("#define BOOKS {}\n#define SEPARATION 0\n#define WALL_WORK 1\n", columns.len());
    let mut function = |head: &str, lines: &mut dyn Iterator<Item = String>| {
        let _ = writeln!(text, "__device__ void {head}\n{{");
        lines.for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
        text.push_str("}\n");
    };
    let columns = || columns.iter().enumerate();
    function(
        "load_books(const World &w, u64 row, double *book)",
        &mut columns().map(|(own, column)| format!("book[{own}] = w.books[{column} * w.rows + row];")),
    );
    function(
        "store_books(const World &w, u64 row, const double *book)",
        &mut columns().map(|(own, column)| format!("w.books[{column} * w.rows + row] = book[{own}];")),
    );
    function(
        "post_losses(const double *outcome, u64 stride, u64 place, double *book)",
        &mut plan.lost.iter().map(|[from, to]| {
            let own = columns().find(|(_, column)| *column == to).map_or(0, |(own, _)| own);
            format!("book[{own}] += outcome[{from} * stride + place];")
        }),
    );
    text
}
