//! What kernels are given: numbers, and where tables are in the memory of the card. One list, which is a struct here and there.

use core::fmt::Write as _;
use core::marker::PhantomData;

/// Numbers of a kind, as in `kernels/common.cu`.
pub(crate) const KIND_NUMBERS: usize = 16;

/// How many constants of a pair of materials kernels are given with their arguments.
pub(crate) const ONE_PAIR: usize = 32;

/// Where a table is in the memory of a device.
#[derive(Debug)]
pub(crate) struct Address<T> {
    pub(crate) at: u64,
    of: PhantomData<T>,
}

impl<T> Address<T> {
    pub(crate) const fn new(at: u64) -> Self {
        Self { at, of: PhantomData }
    }
}

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Address<T> {}
impl<T> Default for Address<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

/// A field as kernels know it.
trait Field {
    /// Its declaration.
    fn declare(name: &str) -> String;
    fn put(&self, bytes: &mut Vec<u8>);
}

/// A number type that kernels have.
trait Number {
    const NAME: &'static str;
}
impl Number for u32 {
    const NAME: &'static str = "u32";
}
impl Number for u64 {
    const NAME: &'static str = "u64";
}
impl Number for f64 {
    const NAME: &'static str = "double";
}

/// A number in the precision of the run: `double` or `float` there.
#[derive(Debug)]
pub(crate) enum Real {}
impl Number for Real {
    const NAME: &'static str = "Real";
}

macro_rules! plain {
    ($($type:ty),+) => {$(
        impl Field for $type {
            fn declare(name: &str) -> String {
                format!("{} {name};", <$type>::NAME)
            }
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_ne_bytes());
            }
        }
        impl<const N: usize> Field for [$type; N] {
            fn declare(name: &str) -> String {
                format!("{} {name}[{N}];", <$type>::NAME)
            }
            fn put(&self, bytes: &mut Vec<u8>) {
                for number in self {
                    number.put(bytes);
                }
            }
        }
    )+};
}
plain!(u64, f64);

impl<T: Number> Field for Address<T> {
    fn declare(name: &str) -> String {
        format!("{} *{name};", T::NAME)
    }
    fn put(&self, bytes: &mut Vec<u8>) {
        self.at.put(bytes);
    }
}

macro_rules! world {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)+) => {
        /// All of it. Every field is made of 8 bytes, so that there is no padding.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct World {
            $($(#[$doc])* pub(crate) $name: $type,)+
        }

        impl World {
            /// The struct as kernels know it.
            pub(crate) fn declaration() -> String {
                let mut text = String::from("struct World {\n");
                $(let _ = writeln!(text, "    {}", <$type as Field>::declare(stringify!($name)));)+
                text.push_str("};\n");
                text
            }

            pub(crate) fn bytes(&self) -> Vec<u8> {
                let mut bytes = Vec::new();
                $(self.$name.put(&mut bytes);)+
                bytes
            }
        }
    };
}

world! {
    // Time.
    /// The step whose end is at hand: the one that bodies have moved to, or move to.
    step: u64,
    /// The first step of the batch, from which on walls are known.
    first_step: u64,
    dt: f64,
    corrected: f64,
    gravity: [f64; 3],
    // Bodies, in the order of all sums. Tables have one column after the other.
    rows: u64,
    id: Address<u32>,
    kind: Address<u32>,
    fresh: Address<u32>,
    /// Whether any body is at the present instant, and not at those of the scheme.
    any_fresh: u64,
    position: Address<f64>,
    velocity: Address<f64>,
    q: Address<f64>,
    omega: Address<f64>,
    scheme_memory: Address<f64>,
    acting: Address<f64>,
    books: Address<f64>,
    /// As laws see them: one body after the other.
    record: Address<f64>,
    /// How far each may have moved since the lists were built.
    travelled: Address<f64>,
    kind_numbers: Address<f64>,
    /// Those of the only kind, where there is one.
    one_kind: [f64; KIND_NUMBERS],
    kind_template: Address<u32>,
    kind_material: Address<u32>,
    kind_held: Address<u32>,
    kind_radius: Address<f64>,
    template_first: Address<u32>,
    template_sphere: Address<f64>,
    // Spheres.
    first_sphere: Address<u32>,
    owner: Address<u32>,
    placed: Address<f64>,
    /// What each is, where there are other pieces than spheres.
    role: Address<u32>,
    // Space.
    periodic: u64,
    low: [f64; 3],
    high: [f64; 3],
    /// Of the periods; zero along open axes.
    length: [f64; 3],
    /// Half of them; infinite along open axes.
    half: [f64; 3],
    // Rules.
    materials: u64,
    constants: Address<f64>,
    /// Those of the only pair of materials, where there is one that has no more.
    one_pair: [f64; ONE_PAIR],
    one_matters: u64,
    masses_matter: Address<u32>,
    /// Which model each pair of materials has; where there are several.
    model_of: Address<u32>,
    model_range: Address<f64>,
    model_lasting: Address<u32>,
    model_remembers: Address<u32>,
    model_power: Address<u32>,
    /// Which number of an outcome is what friction took; 0 if there is none.
    model_sliding: Address<u32>,
    max_overlap: f64,
    max_turn: f64,
    /// Whoever moves farther in a step may have gone through a thin wall, m.
    sheet_limit: f64,
    /// How far rounding can put a sphere from where it would be, in parts of its distance from the centre of its body.
    slack: f64,
    // Fields: a fluid; formulas, for each step of the batch, each field; what the host tells.
    fluid: Address<f64>,
    fields: u64,
    field_kind: Address<u32>,
    field_numbers: Address<f64>,
    host_load: Address<f64>,
    // Lists.
    skin: f64,
    /// The skin, and how far laws reach beyond touch.
    reach: f64,
    /// Of all centres: three lower ends, three upper ones, as ordered integers.
    extent: Address<u64>,
    cell_low: [f64; 3],
    cell_size: [f64; 3],
    cells_along: [u64; 3],
    row_cell: Address<u32>,
    row_slot: Address<u32>,
    cell_count: Address<u32>,
    cell_first: Address<u32>,
    cell_rows: Address<u32>,
    near_count: Address<u32>,
    near_first: Address<u32>,
    near_key: Address<u32>,
    pairs: u64,
    pair_key: Address<u32>,
    pair_later: Address<u32>,
    pair_count: Address<u32>,
    pair_first: Address<u32>,
    candidates: u64,
    candidate: Address<u32>,
    link_count: Address<u32>,
    link_first: Address<u32>,
    link_unsorted: Address<u32>,
    links: u64,
    link: Address<u32>,
    /// A bit for each: whether its later body is the first one in its contact. Links have such a bit of their own.
    later_first: Address<u32>,
    /// Where there are several models: a bit for each candidate, model by model.
    model_bits: Address<u32>,
    /// Where each is among those of its pair of bodies, and how many those are: 16 bits each.
    candidate_span: Address<u32>,
    /// Where those of each row begin, of which it is the later body.
    row_candidate: Address<u32>,
    // Contacts.
    /// For each 32 candidates: a bit for each that touches, in even and in odd steps, and how many touch before them, likewise. This step
    /// is one of the two, and the step before the other.
    words: Address<u32>,
    odd: u64,
    tile_count: Address<u32>,
    tile_first: Address<u32>,
    taken: Address<u32>,
    /// Where lists are new: the places that contacts have from the old ones.
    carried_over: u64,
    was: Address<u32>,
    /// The first candidates of pairs of bodies with several; and for those of them that touch, the masses behind them.
    several_count: u64,
    several_found: Address<u32>,
    several: Address<u32>,
    mass: Address<f64>,
    memory_old: Address<Real>,
    stride_old: u64,
    memory_new: Address<Real>,
    stride_new: u64,
    /// Forces, torques and losses: one contact after the other.
    deed: Address<Real>,
    /// Whether the host will ask for all that contacts do.
    observed: u64,
    outcome: Address<f64>,
    outcome_stride: u64,
    carried: u64,
    carried_a: Address<u32>,
    carried_b: Address<u32>,
    // Walls.
    walls: u64,
    wall_kind: Address<u32>,
    wall_fixed: Address<u32>,
    wall_solid: Address<u32>,
    wall_material: Address<u32>,
    wall_numbers: Address<f64>,
    /// For each step of the batch, each wall.
    poses: Address<f64>,
    /// For each step of the batch: how far any wall may have moved since the lists were built.
    wall_travelled: Address<f64>,
    // Meshes, one after the other.
    facets: Address<f64>,
    facet_indices: Address<u32>,
    edges: Address<f64>,
    edge_indices: Address<u32>,
    vertices: Address<f64>,
    vertex_indices: Address<u32>,
    boxes: Address<f64>,
    box_indices: Address<u32>,
    mesh_order: Address<u32>,
    /// Triangles near the spheres of each row.
    triangle_count: Address<u32>,
    triangle_first: Address<u32>,
    surface_touched: Address<u32>,
    surface_limbs: Address<u64>,
    slots: u64,
    slot_count: Address<u32>,
    slot_first: Address<u32>,
    slot_sphere: Address<u32>,
    slot_wall: Address<u32>,
    slot_face: Address<u32>,
    /// On meshes: how many slots the sphere has, its triangles, and the slot that a contact goes on from.
    slot_room: Address<u32>,
    slot_triangle_first: Address<u32>,
    slot_triangle_count: Address<u32>,
    slot_triangles: Address<u32>,
    slot_from: Address<u32>,
    /// Which part was touched, from one on; of the step before, and of this one.
    slot_was: Address<u32>,
    slot_now: Address<u32>,
    slot_ended: Address<u32>,
    slot_geometry: Address<f64>,
    slot_memory_old: Address<Real>,
    slot_memory_new: Address<Real>,
    slot_outcome: Address<f64>,
    carried_slots: u64,
    carried_sphere: Address<u32>,
    carried_wall: Address<u32>,
    carried_feature: Address<u32>,
    carried_memory: Address<Real>,
    // Another order of rows: the old row of each, and the new one of each old; tables on their way.
    order: Address<u32>,
    new_row: Address<u32>,
    permuted: u64,
    permute_from: Address<f64>,
    permute_to: Address<f64>,
    permute_numbers_from: Address<u32>,
    permute_numbers_to: Address<u32>,
    old_first_sphere: Address<u32>,
    old_owner: Address<u32>,
    // What the host is told.
    halt: Address<u64>,
    why: Address<u32>,
    longest: Address<u64>,
    // Sums of all numbers before each.
    scan_count: u64,
    scan_from: Address<u32>,
    scan_to: Address<u32>,
    scan_sums: Address<u32>,
}

#[cfg(test)]
mod tests {
    use super::World;

    #[test]
    fn there_and_here_are_as_long() {
        let declaration = World::declaration();
        let fields = declaration.lines().filter(|line| line.starts_with("    "));
        let numbers = fields.map(|field| {
            let length = field.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
            length.map_or(1, |(length, _)| length.parse::<usize>().unwrap())
        });
        assert_eq!(World::default().bytes().len(), 8 * numbers.sum::<usize>());
    }
}
