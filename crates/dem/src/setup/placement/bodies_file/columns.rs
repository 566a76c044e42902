//! The columns of a file of bodies: the one list of them, and how a header names them.

use super::error::{RowProblem, excerpt};
use super::names::nearest;

/// Makes the enum of all columns, and their names and meanings in the same order.
macro_rules! columns {
    ($($variant:ident $name:literal $meaning:literal;)+) => {
        /// A column of a file of bodies, in the order in which they are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Column {
            $(#[doc = concat!("`", $name, "`: ", $meaning)] $variant,)+
        }

        /// Columns of the same meaning come together or not at all.
        const COLUMNS: &[(Column, &str, &str)] = &[$((Column::$variant, $name, $meaning)),+];
    };
}

columns! {
    Template "template" "name or number of the template";
    X "x" "centre of mass, m";
    Y "y" "centre of mass, m";
    Z "z" "centre of mass, m";
    Qw "qw" "orientation: unit quaternion from the principal axes to the lab";
    Qx "qx" "orientation: unit quaternion from the principal axes to the lab";
    Qy "qy" "orientation: unit quaternion from the principal axes to the lab";
    Qz "qz" "orientation: unit quaternion from the principal axes to the lab";
    Vx "vx" "velocity of the centre of mass, m/s";
    Vy "vy" "velocity of the centre of mass, m/s";
    Vz "vz" "velocity of the centre of mass, m/s";
    Wx "wx" "angular velocity in the lab frame, rad/s";
    Wy "wy" "angular velocity in the lab frame, rad/s";
    Wz "wz" "angular velocity in the lab frame, rad/s";
    Scale "scale" "size relative to the template";
    Material "material" "name or number of the material";
    Held "held" "whether the body keeps its velocity whatever pushes it: 0 or 1, false or true";
    Temperature "temperature" "K, in a world with heat";
    Film "film" "m³, liquid on the body, in a world with liquid";
}

impl Column {
    /// How many there are.
    pub const COUNT: usize = COLUMNS.len();

    /// All columns, in the order in which they are written.
    pub fn all() -> impl Iterator<Item = Self> {
        COLUMNS.iter().map(|&(column, ..)| column)
    }

    /// The name in the header.
    pub fn name(self) -> &'static str {
        COLUMNS[self as usize].1
    }

    /// What it holds, with the unit.
    pub fn meaning(self) -> &'static str {
        COLUMNS[self as usize].2
    }

    /// Whether no file can do without it.
    pub fn is_required(self) -> bool {
        self <= Self::Z
    }

    fn named(name: &str) -> Option<Self> {
        Self::all().find(|column| column.name().eq_ignore_ascii_case(name))
    }
}

/// The columns that a header names, in its order. A problem comes with the number of its field.
pub(super) fn of_header(line: &str) -> Result<Vec<Column>, (usize, RowProblem)> {
    let mut columns = Vec::new();
    for (field, name) in fields(line).enumerate() {
        let unknown = || {
            let suggestion = nearest(name, Column::all().map(Column::name));
            (field, RowProblem::UnknownColumn { name: excerpt(name), suggestion })
        };
        let column = Column::named(name).ok_or_else(unknown)?;
        if columns.contains(&column) {
            return Err((field, RowProblem::RepeatedColumn(column)));
        }
        columns.push(column);
    }
    let has = |column: &Column| columns.contains(column);
    let wanted = |column: &Column| {
        column.is_required() || Column::all().any(|other| other.meaning() == column.meaning() && has(&other))
    };
    match Column::all().find(|column| wanted(column) && !has(column)) {
        Some(missing) => Err((0, RowProblem::MissingColumn(missing))),
        None => Ok(columns),
    }
}

/// The values of a line, without blanks and quotes around them.
pub(super) fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| {
        let field = field.trim();
        field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
    })
}

/// The character, counted from 1, where a field of a line begins.
pub(super) fn character_of(line: &str, field: usize) -> usize {
    let mut start = 0;
    for (number, text) in line.split(',').enumerate() {
        let blanks = text.chars().take_while(|c| c.is_whitespace()).count();
        let length = text.chars().count();
        if number == field {
            return 1 + start + if blanks < length { blanks } else { 0 };
        }
        start += length + 1;
    }
    // Beyond the last one: the end of the line.
    start.max(1)
}
