// A trajectory is read to its last whole frame, however it was cut or damaged, and what is wrong is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingBytes } from "../src/data/bytes";
import { Damage } from "../src/data/format";
import { matchRows, Trajectory } from "../src/data/trajectory";
import { xxh32 } from "../src/data/xxh32";
import { frame, header, join, lattice, type Body } from "./writer";

const A: Body = { id: 7, place: [1, 2, 3], turn: [0, 1, 0, 0], speed: 4, spin: 5, scale: 0.5, material: 1 };
const B: Body = { id: 9, template: 1, place: [-1, 0, 0.5] };

function read(bytes: Uint8Array): Trajectory {
  const trajectory = new Trajectory();
  trajectory.bytes.append(bytes);
  trajectory.scan();
  return trajectory;
}

function three(): Uint8Array[] {
  return [
    frame({ step: 0, time: 0, bodies: [A, B], lists: true, contacts: [{ point: [1, 0, 0], force: [0, 2, 0] }] }),
    frame({ step: 10, time: 0.5, bodies: [{ ...A, place: [1, 2, 4] }, B], lists: false }),
    frame({ step: 20, time: 1, bodies: [A], lists: true }),
  ];
}

test("xxh32 of known texts, as the reference program prints them", () => {
  const hash = (text: string) => xxh32(new Uint8Array(new TextEncoder().encode(text)));
  assert.equal(hash(""), 0x02cc5d05);
  assert.equal(hash("a"), 0x550d7456);
  assert.equal(hash("abc"), 0x32d153ff);
  assert.equal(hash("Nobody inspects the spammish repetition"), 0xe2293b2f);
});

test("numbers are where the format says", () => {
  const trajectory = read(join(header(), ...three()));
  assert.equal(trajectory.length, 3);
  assert.deepEqual(trajectory.times, [0, 0.5, 1]);
  const first = trajectory.frame(0);
  assert.deepEqual([...first.positions], [1, 2, 3, -1, 0, 0.5]);
  assert.deepEqual([...first.orientations], [0, 32767, 0, 0, 32767, 0, 0, 0]);
  assert.deepEqual([first.speeds[0], first.spins[0]], [4, 5]);
  assert.deepEqual([...first.contactForces], [0, 2, 0]);
  const list = trajectory.list(first.list);
  assert.deepEqual([...list.ids], [7, 9]);
  assert.deepEqual([...list.kinds], [0, 1, 1, 0]);
  assert.deepEqual([...list.scales], [0.5, 1]);
  assert.deepEqual([0, 1, 2].map((number) => trajectory.listOf(number)), [0, 0, 2]);
  assert.deepEqual([...matchRows(list, trajectory.list(2))], [0, -1]);
});

test("a file in pieces of any size is the same file", () => {
  const bytes = join(header(), ...three());
  for (const size of [1, 7, 24, 100, 1000]) {
    const trajectory = new Trajectory();
    for (let at = 0; at < bytes.length; at += size) {
      trajectory.bytes.append(bytes.subarray(at, at + size));
      trajectory.scan();
    }
    assert.equal(trajectory.length, 3, `pieces of ${size}`);
    assert.equal(trajectory.rest, 0);
    assert.deepEqual([...trajectory.frame(1).positions], [1, 2, 4, -1, 0, 0.5]);
  }
});

test("a file that was cut off anywhere is good up to its last whole frame", () => {
  const parts = [header(), ...three()];
  const bytes = join(...parts);
  const ends = parts.map((_, i) => join(...parts.slice(0, i + 1)).length);
  for (let cut = 0; cut < bytes.length; cut += 1) {
    const trajectory = read(bytes.slice(0, cut));
    const whole = ends.slice(1).filter((end) => end <= cut).length;
    assert.equal(trajectory.length, whole, `cut at ${cut}`);
    assert.deepEqual(trajectory.problems, []);
  }
});

test("a changed byte is noticed, and never read as data", () => {
  const bytes = join(header(), ...three());
  const start = header().length;
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = bytes.slice();
    damaged[at]! ^= 0x40;
    if (at < start) {
      // A length that is too long looks like a file that was cut off.
      try {
        assert.equal(read(damaged).length, 0, `byte ${at} of the header`);
      } catch (error) {
        assert.ok(error instanceof Damage, `byte ${at} of the header: ${error}`);
      }
      continue;
    }
    const trajectory = read(damaged);
    assert.ok(trajectory.length < 3, `byte ${at}`);
    assert.ok(trajectory.problems.length > 0 || trajectory.rest > 0, `byte ${at}`);
  }
});

test("frames that count on a damaged list are left out, those after the next list are not", () => {
  const [first, second, third] = three() as [Uint8Array, Uint8Array, Uint8Array];
  first[60]! ^= 1;
  const trajectory = read(join(header(), first, second, third));
  assert.deepEqual(trajectory.times, [1]);
  assert.match(trajectory.problems[0]!, /step 0, at byte \d+, is damaged/);
  assert.match(trajectory.problems[1]!, /list of bodies for step 10/);
});

test("what is no trajectory is refused with a reason", () => {
  assert.throws(() => read(new TextEncoder().encode("<!doctype html><html></html>")), /does not begin with TUMBLETR/);
  const newer = header();
  newer[8] = 2;
  assert.throws(() => read(newer), /version 2/);
  assert.throws(() => read(header({ arrays: [] })), /no array `ids`/);
  assert.throws(() => read(header({ format: "other" })), /tumble-trajectory/);
});

test("moments lie between their frames", () => {
  const trajectory = read(join(header(), ...three()));
  assert.deepEqual(trajectory.momentAt(-1), { a: 0, b: 0, mix: 0 });
  assert.deepEqual(trajectory.momentAt(0.5), { a: 1, b: 2, mix: 0 });
  assert.deepEqual(trajectory.momentAt(0.625), { a: 1, b: 2, mix: 0.25 });
  assert.deepEqual(trajectory.momentAt(9), { a: 2, b: 2, mix: 0 });
});

test("bytes grow without losing any", () => {
  const bytes = new GrowingBytes();
  let total = 0;
  for (let piece = 1; piece < 60; piece += 1) {
    bytes.append(new Uint8Array(piece * 31).fill(piece));
    total += piece * 31;
  }
  assert.equal(bytes.length, total);
  const all = bytes.view(0, total);
  for (let piece = 1, at = 0; piece < 60; at += piece * 31, piece += 1) {
    assert.ok(all.subarray(at, at + piece * 31).every((byte) => byte === piece), `piece ${piece}`);
  }
});

test("a large file is read", () => {
  const trajectory = read(lattice(20, 5));
  assert.equal(trajectory.length, 5);
  assert.equal(trajectory.frame(4).bodies, 8000);
  assert.deepEqual(trajectory.problems, []);
});
