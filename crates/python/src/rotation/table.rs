//! The tables of schemes and of torques, as dictionaries.

use pyo3::prelude::*;
use tumble_rotation::{Order, SchemeKind, trace};
use tumble_study::{Parameter, TORQUES, TorqueKind};

/// The facts of a scheme: the fields of `tumble.rotation.Scheme`, as a dictionary.
#[derive(IntoPyObject)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table")]
pub(crate) struct Facts {
    name: &'static str,
    title: &'static str,
    time_level: &'static str,
    torque_times: &'static [f64],
    order_free: (u8, u8),
    order_body_torque: (u8, u8),
    order_orientation_torque: (u8, u8),
    order_velocity_torque: (u8, u8),
    conserves_energy: bool,
    conserves_momentum: bool,
    reversible: bool,
    normalises: bool,
    flops: usize,
    memory: usize,
    source: &'static str,
    citation: &'static str,
    doi: Option<&'static str>,
}

impl Facts {
    fn of(scheme: SchemeKind) -> Self {
        let info = scheme.info();
        let order = |order: Order| (order.q, order.omega);
        Self {
            name: info.name,
            title: info.summary,
            time_level: info.time_level.name(),
            torque_times: info.torque_times,
            order_free: order(info.orders.free),
            order_body_torque: order(info.orders.body_torque),
            order_orientation_torque: order(info.orders.orientation_torque),
            order_velocity_torque: order(info.orders.velocity_torque),
            conserves_energy: info.conserves.energy,
            conserves_momentum: info.conserves.momentum,
            reversible: info.conserves.reversible,
            normalises: info.normalises,
            flops: trace::flops(scheme),
            memory: scheme.memory_width(),
            source: info.citation.short,
            citation: info.citation.full,
            doi: info.citation.doi,
        }
    }
}

/// The facts of all schemes, in the order of the tables.
#[pyfunction]
pub(crate) fn schemes() -> Vec<Facts> {
    SchemeKind::ALL.iter().copied().map(Facts::of).collect()
}

/// A torque that has a name: the fields of `tumble.rotation.TorqueKind`, as a dictionary.
#[derive(IntoPyObject)]
pub(crate) struct TorqueFacts {
    name: &'static str,
    title: &'static str,
    parameters: Vec<ParameterFacts>,
}

/// What a torque depends on: the fields of `tumble.rotation.Parameter`, as a dictionary.
#[derive(IntoPyObject)]
pub(crate) struct ParameterFacts {
    name: &'static str,
    unit: &'static str,
    default: &'static [f64],
}

impl From<&TorqueKind> for TorqueFacts {
    fn from(kind: &TorqueKind) -> Self {
        let parameters = kind.parameters.iter().map(ParameterFacts::from).collect();
        Self { name: kind.name, title: kind.description, parameters }
    }
}

impl From<&Parameter> for ParameterFacts {
    fn from(&Parameter { name, unit, default }: &Parameter) -> Self {
        Self { name, unit, default }
    }
}

/// The torques that have a name.
#[pyfunction]
pub(crate) fn torque_kinds() -> Vec<TorqueFacts> {
    TORQUES.iter().map(TorqueFacts::from).collect()
}
