import { column, generatedNumber, number, numberOrNull, text, textOrNull } from './column.ts'

/** One row; see app-key.ts. */
export const keyCheck = {
  id: number,
  check_value: text,
  created_at: text,
}

/** One row. */
export const configRevision = {
  id: number,
  /** Counted up by every change of what the gateway runs on. */
  revision: number,
  /** Random; another one with every change. */
  mark: text,
}

/** What a revision of the configuration has changed; written by triggers. */
export const configChange = {
  id: generatedNumber,
  /** Null: noted since the last bump. */
  revision: numberOrNull,
  kind: column<'api' | 'endpoint' | 'token' | 'user' | 'role' | 'issuer' | 'revision'>(),
  thing_id: number,
  /** That of the revision, where `kind` is `revision`. */
  mark: textOrNull,
}

/** One row at most; see features/installation-hold. */
export const installationHold = {
  id: number,
  reason: column<'restore' | 'older_database'>(),
  backup_made_at: text,
  held_since: text,
  /** Null: it is held. */
  released_at: textOrNull,
  /** JSON: the lanes and schedules that send again although the rest is held. */
  released_parts: textOrNull,
}

/** Work that one server does at a time. */
export const duty = {
  name: text,
  lease_owner: text,
  lease_until: text,
  /** When the holder took it; null: before this was noted. */
  taken_at: textOrNull,
  /** When a round last ended, on any server. */
  round_at: textOrNull,
}

/** A server that uses this database; see features/nodes. */
export const node = {
  instance_id: text,
  /** Random, of each start. */
  start_id: text,
  /** Counts up with each sign of life. */
  beat: number,
  /** See `DataDir.place`. */
  place: text,
  name: text,
  version: text,
  role: text,
  started_at: text,
  seen_at: text,
  /** Set by a stop; null after a crash. */
  stopped_at: textOrNull,
  /** JSON: what it last said of itself; null: nothing yet. */
  state: textOrNull,
  /** The last starts as a JSON list; null: of an earlier version. */
  starts: textOrNull,
}

/** One row while the sample service is in use; see features/first-steps. */
export const sampleService = {
  id: number,
  /** On 127.0.0.1. */
  port: number,
}
