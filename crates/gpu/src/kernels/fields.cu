// What acts on a body beside contacts: drag, fields of which there are formulas, what the host tells of others; and bodies that a hand
// moves. As crates/dem/src/step/loads.rs does it.

#if ANY_FIELDS || ANY_HELD

// Force and torque on a row, the power lost to drag, the power put in by fields.
#define LOAD 8

__device__ void load_of_fields(const World &w, u32 row, double *load)
{
    for (int k = 0; k < LOAD; ++k)
        load[k] = HOST_FIELDS ? w.host_load[k * w.rows + row] : 0.0;
#if ANY_FIELDS && !HOST_FIELDS
    const double *body = w.record + RECORD * (u64)row;
#if DRAG
    double in[13], out[7];
    for (int k = 0; k < 6; ++k)
        in[k] = w.fluid[k];
    in[6] = w.kind_radius[w.kind[row]];
    for (int k = 0; k < 6; ++k)
        in[7 + k] = body[3 + k];
    field_drag(in, out);
    for (int k = 0; k < 6; ++k)
        load[k] = out[k];
    load[6] = -out[6];
#endif
    for (u64 field = 0; field < w.fields; ++field) {
        double with[13], force[4];
        const double *numbers = w.field_numbers + 6 * ((w.step - w.first_step) * w.fields + field);
        for (int k = 0; k < 4; ++k)
            with[k] = numbers[k];
        with[4] = kind_of(w, row)[KIND_MASS];
        for (int k = 0; k < 3; ++k) {
            with[5 + k] = body[k];
            with[10 + k] = body[3 + k];
        }
        // The part of a part comes first.
        with[8] = numbers[5];
        with[9] = numbers[4];
        if (w.field_kind[field])
            field_attraction(with, force);
        else
            field_uniform(with, force);
        load[7] += force[3];
        for (int k = 0; k < 3; ++k) {
            load[k] += force[k];
            load[3 + k] += 0.0;
        }
    }
    if (is_held(w, row))
        load[6] = load[7] = 0.0;
#endif
}

__device__ double power_of_hand(const World &w, u32 row, const double *acting, const double *load)
{
    double in[25], out[1];
    for (int k = 0; k < 6; ++k) {
        in[k] = acting[k];
        in[9 + k] = load[k];
    }
    for (int k = 0; k < 3; ++k) {
        in[6 + k] = w.gravity[k] * kind_of(w, row)[KIND_MASS];
        in[15 + k] = w.velocity[k * w.rows + row];
        in[22 + k] = w.omega[k * w.rows + row];
    }
    for (int k = 0; k < 4; ++k)
        in[18 + k] = w.q[k * w.rows + row];
    field_hand(in, out);
    return out[0];
}

__device__ void add_fields(const World &w, u32 row, double *acting)
{
    double load[LOAD];
    load_of_fields(w, row, load);
    if (ANY_FIELDS) {
        for (int k = 0; k < 6; ++k)
            acting[k] += load[k];
        w.books[DRAG_LOSS * w.rows + row] += load[6] * w.dt;
        w.books[FIELD_WORK * w.rows + row] += load[7] * w.dt;
    }
    if (is_held(w, row))
        w.books[HAND_WORK * w.rows + row] += power_of_hand(w, row, acting, load) * w.dt;
}

// A held body keeps its velocity, and its angular velocity in the lab: place and turn are those of the hand, whatever the leapfrog and
// the scheme have done meanwhile.
struct Hand {
    double position[3], velocity[3];
    Real q[4], omega[3];

    __device__ Hand(const double *at, const double *moving, const Real *spin)
    {
        for (int k = 0; k < 3; ++k) {
            position[k] = at[k];
            velocity[k] = moving[k];
            omega[k] = spin[4 + k];
        }
        for (int k = 0; k < 4; ++k)
            q[k] = spin[k];
    }
    __device__ void move(const World &w, double *at, double *moving, Real *spin) const
    {
        Real in[11], out[7];
        for (int k = 0; k < 3; ++k) {
            in[k] = (Real)velocity[k];
            in[7 + k] = omega[k];
        }
        for (int k = 0; k < 4; ++k)
            in[3 + k] = q[k];
        in[10] = (Real)w.dt;
        field_hold(in, out);
        for (int k = 0; k < 3; ++k) {
            at[k] = position[k] + (double)out[k];
            moving[k] = velocity[k];
            spin[4 + k] = omega[k];
        }
        for (int k = 0; k < 4; ++k)
            spin[k] = out[3 + k];
    }
};

#endif
