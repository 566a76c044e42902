//! The cases: one file each, and the one list.

use super::Case;

macro_rules! cases {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        /// Every case, in the order of tables.
        pub const CASES: &[Case] = &[$($module::CASE),+];
    };
}

cases! {
    hertz_impact,
    hertz_plane,
    restitution,
    oblique_sliding,
    oblique_aluminium,
    oblique_spin,
    oblique_pair,
    oblique_sticking,
    oblique_grip,
    oblique_damped,
    rod_on_wall,
    flat_landing,
    elastic_phase,
    adhesion_pull,
    adhesion_rebound,
    van_der_waals,
    liquid_bridge,
    bridge_viscosity,
    film_bridge,
    yielding_impact,
    plastic_impact,
    spring_release,
    slip_to_roll,
    rolling_stop,
    rolling_slope,
    twisting_stop,
    at_rest,
    advised_step,
    terminal_velocity,
    bond_loads,
    bond_cantilever,
    bond_elastica,
    bond_vibration,
    membrane,
    heat_pair,
    heat_chain,
    heat_bounce,
    symmetric_top,
    asymmetric_top,
    dzhanibekov,
    heavy_top,
    union_of_two,
    union_of_many,
    mesh_independence,
    hollow_mesh,
    rocking_ellipsoid,
    standing_bricks,
    moving_wall,
    free_wall,
    moved_by_hand,
    energy_ledger,
    coarse_balance,
    coarse_lattice,
    cell_lattice,
    cell_shear,
    cell_stress,
    shear_flow,
    coarse_flight,
    free_fall,
    momentum,
    periodic_shift,
    same_bits,
    pinned_bits,
    single_precision,
}
