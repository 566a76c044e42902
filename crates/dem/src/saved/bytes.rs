//! A state as bytes, for files: little-endian, with a version, without anything that follows from the rest.
//!
//! | part | what |
//! | --- | --- |
//! | head | `TUMBLEST`, version, fingerprint of the templates, materials and walls |
//! | numbers | the fields of [`numbers!`] |
//! | bodies | how many; the next id; what each is; the columns of its state; memory of the scheme; what was prescribed; warmth; films |
//! | contacts | with what they remember and what they do |
//! | bonds | each with all that it is; those that broke |
//!
//! Bodies come by their ids and contacts by their names, and neighbour lists are left out. So equal states have equal bytes, wherever
//! their bodies lie and whatever did the steps.
//!
//! Bodies are put in anew when a state is read, so that masses, radii and places of spheres are computed by
//! the same code as at the start. There is no checksum: that is for the file that the bytes are part of.

use super::models::{ModelName, ModelNames};
use super::stored::{Input, Stored};
use super::{SavedState, SchemeName, check};
use crate::bodies::{Bodies, BookTable, OWN_BOOKS, Shapes, Sums, Wrench};
use crate::clump::ClumpTemplate;
use crate::columns::Column;
use crate::contact::{Detached, Name, Widths};
use crate::engine::Altered;
use crate::error::Error;
use crate::material::Materials;
use crate::parallel::Threads;
use crate::precision::Precision;
use crate::report::Exchange;
use crate::rows_by_id::{RowsById, index32};
use crate::step::Warmth;
use crate::step::bond::Bonds;
use crate::world::{Body, BodyId, TemplateId, World};
use std::sync::Arc;
use tumble_math::LabVec;

const MAGIC: [u8; 8] = *b"TUMBLEST";

/// Raised whenever the bytes mean something else than before.
const VERSION: u32 = 20;

/// Bytes of what a body is: template, material, size, whether it is held.
const BODY_SIZE: usize = u16::SIZE + u16::SIZE + f64::SIZE + bool::SIZE;

impl SavedState {
    /// The state as bytes, which [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.with_rows(&self.bodies, &self.sums, &self.contacts)
    }

    /// The bytes of this state with these bodies and contacts.
    pub(super) fn with_rows(&self, bodies: &Bodies, sums: &Sums, contacts: &[Detached]) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        VERSION.put(&mut out);
        self.fingerprint.put(&mut out);
        put_numbers(self, &mut out);
        let mut bonds = Vec::new();
        self.bonds.put(&mut bonds);
        out.reserve_exact(self.size_of_rows(bodies, sums, contacts) + bonds.len());
        put_bodies(bodies, sums, self.rotation.width, &mut out);
        put_contacts(contacts, &mut out);
        out.extend(bonds);
        out
    }

    /// Bytes of all bodies and contacts. There may be millions, and a list that grows takes up to twice what it holds.
    fn size_of_rows(&self, bodies: &Bodies, sums: &Sums, contacts: &[Detached]) -> usize {
        let remembered = if bodies.memory.rows() > 0 { self.rotation.width * f64::SIZE } else { 0 };
        let prescribed = if bodies.prescribed.is_empty() { 0 } else { Wrench::SIZE };
        let warmth = if bodies.warmth.is_empty() { 0 } else { Warmth::SIZE };
        let film = if bodies.film.is_empty() { 0 } else { f64::SIZE };
        let of_body = BODY_SIZE + row_size(bodies, sums) + remembered + prescribed + warmth + film;
        let size = |of: &Detached| of.len() * (Name::SIZE + (of.widths.memory + of.widths.deed) * f64::SIZE);
        let counts = usize::SIZE + u32::SIZE + 3 * bool::SIZE + usize::SIZE;
        counts + bodies.len() * of_body + contacts.iter().map(size).sum::<usize>()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote for an engine of the same world; of its bodies only the
    /// templates and materials matter.
    ///
    /// Bytes that were cut off or changed give an error, or a state that an engine can go on from, however
    /// wrong: never a panic, and never more memory than such a state takes.
    pub fn from_bytes(bytes: &[u8], world: &World) -> Result<Self, Error> {
        let mut input = Input::new(bytes);
        if input.chunk()? != MAGIC {
            return Err(input.broken("this is no saved state of Tumble"));
        }
        let version = u32::take(&mut input)?;
        if version != VERSION {
            return Err(
                input.broken(format!("it has version {version}, and only version {VERSION} is known"))
            );
        }
        let mut state = Self::blank(world);
        if u64::take(&mut input)? != state.fingerprint {
            return Err(Error::Mismatch { what: "it has other templates, materials or walls".into() });
        }
        take_numbers(&mut state, &mut input)?;
        if !state.models.is_sound(world.materials.as_slice().len()) {
            return Err(input.broken("its table of contact models is not one of these materials"));
        }
        state.sums.books = BookTable::new(books_of(&state, &input)?);
        let width = state.rotation.width;
        take_bodies(&mut state.bodies, &mut state.sums, width, world, &mut input)?;
        state.contacts = take_contacts(&state.models, &state.bodies, world, &mut input)?;
        state.bonds = Stored::take(&mut input)?;
        input.end()?;
        super::bonds::check(&state.bonds, &state.bodies)?;
        check::state(&state, world)?;
        Ok(state)
    }

    pub(super) fn blank(world: &World) -> Self {
        Self {
            steps: 0,
            dt: 0.0,
            altered: Altered::default(),
            bodies: Bodies::new(Shapes::new(&world.templates)),
            sums: Sums::default(),
            contacts: Vec::new(),
            rewound: false,
            loads: Vec::new(),
            free: Vec::new(),
            cell: None,
            surfaces: None,
            exchange: Exchange::default(),
            bonds: Bonds::default(),
            heat: None,
            liquid: None,
            lists: None,
            rotation: SchemeName { name: String::new(), width: 0 },
            precision: Precision::Double,
            models: ModelNames::default(),
            materials: 0,
            fingerprint: super::fingerprint(&world.templates, &world.materials, &world.walls),
        }
    }
}

/// The fields of a state that stand for themselves, in the order of the bytes.
macro_rules! numbers {
    ($($field:ident),+) => {
        pub(super) fn put_numbers(state: &SavedState, out: &mut Vec<u8>) {
            $(state.$field.put(out);)+
        }
        pub(super) fn take_numbers(state: &mut SavedState, input: &mut Input<'_>) -> Result<(), Error> {
            $(state.$field = Stored::take(input)?;)+
            Ok(())
        }
    };
}
numbers!(
    steps, dt, altered, exchange, rotation, precision, models, materials, loads, free, cell, heat, liquid,
    surfaces
);

/// How many books bodies have: as many as their models have, and removed ones had.
fn books_of(state: &SavedState, input: &Input<'_>) -> Result<usize, Error> {
    let books = state.models.books as usize;
    if books < OWN_BOOKS || books != state.exchange.removed.len() {
        let removed = state.exchange.removed.len();
        return Err(input.broken(format!("bodies have {books} books, and removed ones had {removed}")));
    }
    Ok(books)
}

/// Bytes of the state of a body.
fn row_size(bodies: &Bodies, sums: &Sums) -> usize {
    bodies.saved(sums).iter().map(|column| column.row_size()).sum()
}

fn put_bodies(bodies: &Bodies, sums: &Sums, width: usize, out: &mut Vec<u8>) {
    let rows: Vec<usize> = bodies.by_id.rows().collect();
    rows.len().put(out);
    bodies.by_id.next().put(out);
    put_rows(bodies, sums, width, &rows, out);
}

/// Some bodies, with everything that they have.
pub(super) fn put_rows(bodies: &Bodies, sums: &Sums, width: usize, rows: &[usize], out: &mut Vec<u8>) {
    for &row in rows {
        bodies.template[row].put(out);
        bodies.material[row].put(out);
        bodies.scale[row].put(out);
        bodies.held[row].put(out);
    }
    for column in bodies.saved(sums) {
        for &row in rows {
            column.put_row(row, out);
        }
    }
    if bodies.memory.rows() > 0 {
        for &row in rows {
            bodies.memory.row(row)[..width].iter().for_each(|value| value.put(out));
        }
    }
    let prescribed = !bodies.prescribed.is_empty();
    prescribed.put(out);
    if prescribed {
        for &row in rows {
            bodies.prescribed[row].put(out);
        }
    }
    let warm = !bodies.warmth.is_empty();
    warm.put(out);
    if warm {
        for &row in rows {
            bodies.warmth[row].put(out);
        }
    }
    let wet = !bodies.film.is_empty();
    wet.put(out);
    if wet {
        for &row in rows {
            bodies.film[row].put(out);
        }
    }
}

/// The most numbers that a rotation scheme remembers.
const MOST_REMEMBERED: usize = 14;

fn check_width(width: usize, input: &Input<'_>) -> Result<(), Error> {
    if width > MOST_REMEMBERED {
        let what = format!("a rotation scheme remembers {width} numbers, and {MOST_REMEMBERED} are the most");
        return Err(input.broken(what));
    }
    Ok(())
}

fn take_bodies(
    bodies: &mut Bodies,
    sums: &mut Sums,
    width: usize,
    world: &World,
    input: &mut Input<'_>,
) -> Result<(), Error> {
    check_width(width, input)?;
    let rows = input.count(BODY_SIZE + row_size(bodies, sums) + width * f64::SIZE)?;
    let next = u32::take(input)?;
    take_rows(bodies, sums, width, (&world.templates, &world.materials), rows, input)?;
    bodies.by_id = RowsById::of(&bodies.id, next)
        .filter(|_| bodies.id.is_sorted())
        .ok_or_else(|| input.broken("the ids of its bodies are not ascending numbers below the next one"))?;
    bodies.sort_rows(sums, &Threads::ONE);
    Ok(())
}

/// So many more bodies, after those that are there. What finds them by id is not told.
pub(super) fn take_rows(
    bodies: &mut Bodies,
    sums: &mut Sums,
    width: usize,
    (templates, materials): (&[Arc<ClumpTemplate>], &Materials),
    count: usize,
    input: &mut Input<'_>,
) -> Result<(), Error> {
    let mut memory = [0.0; MOST_REMEMBERED];
    check_width(width, input)?;
    let materials = materials.as_slice();
    let body = |input: &mut Input<'_>| take_body(templates.len(), materials.len(), input);
    let new = (0..count).map(|_| body(input)).collect::<Result<Vec<_>, _>>()?;
    bodies.check_room(&new)?;
    let (first, ids) = (bodies.len(), core::mem::take(&mut bodies.by_id));
    bodies.append(sums, &new, |material| materials[usize::from(material)].density);
    bodies.by_id = ids;
    let rows = first..first + count;
    for column in bodies.saved_mut(sums) {
        rows.clone().try_for_each(|row| column.take_row(row, input))?;
    }
    if width > 0 {
        bodies.memory.resize(rows.end);
        for row in rows.clone() {
            for value in &mut memory[..width] {
                *value = f64::take(input)?;
            }
            bodies.memory.set_row(row, memory);
        }
    }
    if bool::take(input)? {
        bodies.prescribed.resize(rows.end, Wrench::default());
        for row in rows.clone() {
            bodies.prescribed[row] = Stored::take(input)?;
        }
    }
    if bool::take(input)? {
        bodies.warmth.resize(rows.end, Warmth::default());
        for row in rows.clone() {
            bodies.warmth[row] = Stored::take(input)?;
        }
    }
    if bool::take(input)? {
        bodies.film.resize(rows.end, 0.0);
        for row in rows {
            bodies.film[row] = f64::take(input)?;
        }
    }
    Ok(())
}

/// What a body is. Where it is and how it moves is written over afterwards.
fn take_body(templates: usize, materials: usize, input: &mut Input<'_>) -> Result<Body, Error> {
    let template = TemplateId(u16::take(input)?);
    let material = u16::take(input)?;
    let scale = f64::take(input)?;
    let held = bool::take(input)?;
    let body =
        Body { material: crate::MaterialId(material), scale, held, ..Body::at(template, LabVec::zero()) };
    crate::check::body(&body, "a body of the saved state", templates, materials)?;
    Ok(body)
}

/// Contacts by name, whichever group they are in.
fn put_contacts(groups: &[Detached], out: &mut Vec<u8>) {
    let numbers =
        |(group, contacts): (u32, &Detached)| (0..index32(contacts.len())).map(move |index| [group, index]);
    let mut order: Vec<[u32; 2]> = (0..).zip(groups).flat_map(numbers).collect();
    let of = |[group, index]: [u32; 2]| (&groups[group as usize], index as usize);
    let name = |number: [u32; 2]| {
        let (contacts, index) = of(number);
        contacts.names[index]
    };
    order.sort_unstable_by_key(|number| name(*number));
    order.len().put(out);
    for number in &order {
        name(*number).put(out);
    }
    for number in order {
        let (contacts, index) = of(number);
        let (memory, deed) = contacts.numbers(index);
        memory.iter().chain(deed).for_each(|number| number.put(out));
    }
}

/// Contacts with the numbers that their models ask for.
fn take_contacts(
    models: &ModelNames,
    bodies: &Bodies,
    world: &World,
    input: &mut Input<'_>,
) -> Result<Vec<Detached>, Error> {
    let names: Vec<Name> = Stored::take(input)?;
    check::contacts(&names, bodies, world)?;
    let widths = |model: &ModelName| Widths { memory: model.memory as usize, deed: model.deed as usize };
    let mut groups: Vec<Detached> =
        models.list.iter().map(|model| Detached::with_room(widths(model), 0)).collect();
    let material = |id: u32| bodies.row(BodyId(id)).map_or(0, |row| bodies.material[row]);
    let mut numbers = Vec::new();
    for name in names {
        let [other, _] = name.b;
        let of_wall = || world.walls.get(other as usize).map_or(0, |wall| wall.material.0);
        let other = if name.with_wall { of_wall() } else { material(other) };
        let group = models.group(material(name.a[0]), other, world.materials.as_slice().len());
        let contacts = &mut groups[group];
        let Widths { memory, deed } = contacts.widths;
        numbers.clear();
        for _ in 0..memory + deed {
            numbers.push(f64::take(input)?);
        }
        let (memory, deed) = numbers.split_at(memory);
        contacts.push(name, memory.iter().copied(), deed.iter().copied());
    }
    Ok(groups)
}
