import { readFileSync } from 'node:fs'
import type { HostileAuthority, Mischief } from './authorities.ts'

type Name = HostileAuthority['name']

/** A call that reached an authority. */
export interface Came {
  what: 'came'
  id: number
  at: number
  by: Name
  call: 'submit' | 'status' | 'read'
  /** The document; of a read the customer. */
  reference: string
}

/** What became of a submission. */
export interface Did {
  what: 'did'
  id: number
  at: number
  outcome: Mischief | 'accepted' | 'repeated'
}

/** A document that an authority has, and what it decided or will decide about it. */
export interface Stored {
  what: 'stored'
  by: Name
  reference: string
  number: string
  verdict: 'accepted' | 'rejected'
  at: number
  decidesAt: number
}

export type RecordLine =
  | Came
  | Did
  | Stored
  /** The most calls of steps that were open at once, so far. */
  | { what: 'most open'; by: Name; open: number }
  /** From then on the lanes have no limits, and a person sends too. */
  | { what: 'mark'; at: number }

/** What the authorities have written down, in the order in which it happened. Times are theirs, in ms. */
export interface AuthorityRecord {
  came: Came[]
  did: Map<number, Did>
  stored: Stored[]
  mostOpen: Map<Name, number>
  markedAt: number
}

export function readRecord(file: string): AuthorityRecord {
  const record: AuthorityRecord = {
    came: [],
    did: new Map(),
    stored: [],
    mostOpen: new Map(),
    markedAt: Infinity,
  }
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as RecordLine
    if (line.what === 'came') record.came.push(line)
    else if (line.what === 'did') record.did.set(line.id, line)
    else if (line.what === 'stored') record.stored.push(line)
    else if (line.what === 'most open') record.mostOpen.set(line.by, line.open)
    else record.markedAt = line.at
  }
  record.came.sort((one, other) => one.at - other.at)
  return record
}
