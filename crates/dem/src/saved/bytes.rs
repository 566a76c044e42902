//! A state as bytes, for files: little-endian, with a version, without anything that follows from the rest.
//!
//! | part | what |
//! | --- | --- |
//! | head | `TUMBLEST`, version, fingerprint of the templates, materials and walls |
//! | numbers | the fields of [`numbers!`] |
//! | bodies | how many; numbers in use; what each is; the columns of [`columns!`]; memory of the scheme |
//! | contacts | with what they remember and what they do |
//!
//! Bodies are put in anew when a state is read, so that masses, radii and places of spheres are computed by
//! the same code as at the start. There is no checksum: that is for the file that the bytes are part of.

use super::stored::{Input, Rows, Stored};
use super::{SavedState, check};
use crate::bodies::{Bodies, Shapes};
use crate::contact::{Loose, Name, Parts};
use crate::error::Error;
use crate::law::ContactModel;
use crate::ledger::Exchange;
use crate::world::{Body, TemplateId, World};
use tumble_math::LabVec;
use tumble_rotation::SchemeKind;

const MAGIC: [u8; 8] = *b"TUMBLEST";

/// Raised whenever the bytes mean something else than before.
const VERSION: u32 = 2;

/// Bytes of what a body is: template, material, size, whether it is held.
const BODY_SIZE: usize = u16::SIZE + u16::SIZE + f64::SIZE + bool::SIZE;

impl SavedState {
    /// The state as bytes, which [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.bodies.len();
        let mut out = Vec::with_capacity(
            256 + rows * (ROW_SIZE + BODY_SIZE)
                + self.contacts.len() * (Name::SIZE + self.contacts.parts.width() * f64::SIZE),
        );
        out.extend_from_slice(&MAGIC);
        VERSION.put(&mut out);
        self.fingerprint.put(&mut out);
        put_numbers(self, &mut out);
        put_bodies(&self.bodies, self.rotation, &mut out);
        self.contacts.names.put(&mut out);
        self.contacts.numbers.iter().for_each(|number| number.put(&mut out));
        out
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
            return Err(Error::Mismatch { what: "it has other templates, materials or walls" });
        }
        take_numbers(&mut state, &mut input)?;
        take_bodies(&mut state.bodies, state.rotation, world, &mut input)?;
        state.contacts = take_contacts(state.contact, &mut input)?;
        input.end()?;
        check::state(&state, world)?;
        Ok(state)
    }

    fn blank(world: &World) -> Self {
        Self {
            steps: 0,
            dt: 0.0,
            bodies: Bodies::new(Shapes::new(&world.templates)),
            contacts: Loose::default(),
            loads: Vec::new(),
            batch_loads: Vec::new(),
            exchange: Exchange::default(),
            longest: 0.0,
            skin: 0.0,
            travelled: 0.0,
            wall_travelled: 0.0,
            builds: 0,
            built_at: 0,
            rotation: SchemeKind::MagnusLeapfrog,
            contact: ContactModel::default(),
            materials: 0,
            fingerprint: super::fingerprint(&world.templates, &world.materials, &world.walls),
        }
    }
}

/// The fields of a state that stand for themselves, in the order of the bytes.
macro_rules! numbers {
    ($($field:ident),+) => {
        fn put_numbers(state: &SavedState, out: &mut Vec<u8>) {
            $(state.$field.put(out);)+
        }
        fn take_numbers(state: &mut SavedState, input: &mut Input<'_>) -> Result<(), Error> {
            $(state.$field = Stored::take(input)?;)+
            Ok(())
        }
    };
}
numbers!(
    steps,
    dt,
    exchange,
    longest,
    skin,
    travelled,
    wall_travelled,
    builds,
    built_at,
    rotation,
    contact,
    materials,
    loads,
    batch_loads
);

/// The columns of the bodies that change during a run, in the order of the bytes.
macro_rules! columns {
    ($($column:ident),+) => {
        const ROW_SIZE: usize = 0 $(+ row_size(|bodies: &Bodies| &bodies.$column))+;
        fn put_columns(bodies: &Bodies, out: &mut Vec<u8>) {
            $(bodies.$column.put_rows(out);)+
        }
        fn take_columns(bodies: &mut Bodies, rows: usize, input: &mut Input<'_>) -> Result<(), Error> {
            $(bodies.$column.take_rows(rows, input)?;)+
            Ok(())
        }
    };
}
columns!(id, fresh, position, velocity, q, omega, acting, books, seen, built);

const fn row_size<R: Rows>(_: fn(&Bodies) -> &R) -> usize {
    R::ROW_SIZE
}

fn put_bodies(bodies: &Bodies, scheme: SchemeKind, out: &mut Vec<u8>) {
    bodies.len().put(out);
    // One bit for each number ever given, so that this count too is backed by bytes.
    bodies.row_of.len().put(out);
    for numbers in bodies.row_of.chunks(8) {
        out.push((0..).zip(numbers).map(|(bit, &row)| u8::from(row != u32::MAX) << bit).sum());
    }
    for row in 0..bodies.len() {
        bodies.template[row].put(out);
        bodies.material[row].put(out);
        bodies.scale[row].put(out);
        bodies.held[row].put(out);
    }
    put_columns(bodies, out);
    for row in 0..bodies.memory.rows() {
        bodies.memory.row(row)[..scheme.memory_width()].iter().for_each(|value| value.put(out));
    }
}

fn take_bodies(
    bodies: &mut Bodies,
    scheme: SchemeKind,
    world: &World,
    input: &mut Input<'_>,
) -> Result<(), Error> {
    let width = scheme.memory_width();
    let rows = input.count(BODY_SIZE + ROW_SIZE + width * f64::SIZE)?;
    let numbers = usize::take(input)?;
    let in_use = input.bytes(numbers.div_ceil(8))?;
    let new = (0..rows).map(|_| take_body(world, input)).collect::<Result<Vec<_>, _>>()?;
    let spheres = |body: &Body| world.templates[usize::from(body.template.0)].spheres().len();
    if new.iter().map(spheres).sum::<usize>() >= u32::MAX as usize || numbers > u32::MAX as usize {
        return Err(input.broken("it has more bodies or spheres than there are numbers for"));
    }
    let materials = world.materials.as_slice();
    bodies.append(&new, |material| materials[usize::from(material)].density);
    take_columns(bodies, rows, input)?;
    bodies.row_of = rows_of_ids(&bodies.id, numbers, in_use).ok_or_else(|| {
        input.broken("the numbers of its bodies are not those in use, or one of them occurs twice")
    })?;
    if width > 0 {
        bodies.memory.resize(rows);
        for row in 0..rows {
            let mut memory = [0.0; 14];
            for value in &mut memory[..width] {
                *value = f64::take(input)?;
            }
            bodies.memory.set_row(row, memory);
        }
    }
    Ok(())
}

/// What a body is. Where it is and how it moves is written over afterwards.
fn take_body(world: &World, input: &mut Input<'_>) -> Result<Body, Error> {
    let template = TemplateId(u16::take(input)?);
    let material = u16::take(input)?;
    let scale = f64::take(input)?;
    let held = bool::take(input)?;
    let body =
        Body { material: crate::MaterialId(material), scale, held, ..Body::at(template, LabVec::zero()) };
    crate::check::body(
        &body,
        "a body of the saved state",
        world.templates.len(),
        world.materials.as_slice().len(),
    )?;
    Ok(body)
}

/// Contacts with the numbers that the model asks for.
fn take_contacts(model: ContactModel, input: &mut Input<'_>) -> Result<Loose, Error> {
    let parts = Parts::of(model, true);
    let names: Vec<Name> = Stored::take(input)?;
    let numbers = input.several(names.len() * parts.width())?;
    Ok(Loose { parts, names, numbers })
}

/// The row of each number, if the numbers of the rows are exactly those in use.
fn rows_of_ids(ids: &[u32], numbers: usize, in_use: &[u8]) -> Option<Vec<u32>> {
    let mut row_of = vec![u32::MAX; numbers];
    for (row, &id) in (0u32..).zip(ids) {
        let bit = in_use.get(id as usize / 8)? >> (id % 8) & 1;
        let slot = row_of.get_mut(id as usize)?;
        if bit == 0 || *slot != u32::MAX {
            return None;
        }
        *slot = row;
    }
    let used: usize = in_use.iter().map(|byte| byte.count_ones() as usize).sum();
    (used == ids.len()).then_some(row_of)
}
