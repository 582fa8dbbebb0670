import { AppError } from '../../kernel/app-error.ts'
import { Forbidden, type OwnApi } from './own-api.ts'
import { Names } from './references.ts'
import type { Section, StoredThing } from './section.ts'
import type { Value } from './values.ts'
import { setAt, toReference, variableOf } from './secrets.ts'
import { kindOfSection, sections } from './sections.ts'

/** A thing as the document would have it: with names, and a reference for each secret. */
export interface CurrentThing {
  id: number
  value: Value
  /** Where it has a stored secret, as dotted paths. */
  stored: ReadonlySet<string>
}

export interface CurrentSection {
  section: Section
  /** Undefined: the caller may not see the section. */
  things: Map<string, CurrentThing> | undefined
}

export interface Current {
  sections: CurrentSection[]
  names: Names
}

/**
 * The configuration as it is: the whole, or what these sections can be compared with. Throws a 403 where the caller may
 * see none of it.
 */
export async function readCurrent(
  api: OwnApi,
  wanted?: Pick<ReadonlySet<string>, 'has'>,
): Promise<Current> {
  const names = new Names()
  const read: { section: Section; stored: StoredThing[] | undefined }[] = []
  for (const section of neededOf(wanted)) {
    const found = await section.read(api).catch((error: unknown) => {
      if (error instanceof Forbidden) return undefined
      throw error
    })
    const stored = found?.map(uniquely(new Set()))
    read.push({ section, stored })
    const kind = kindOfSection[section.name]
    if (kind) for (const { name, id } of stored ?? []) names.add(kind, name, id)
  }
  if (read.every(({ stored }) => stored === undefined)) throw new AppError('permission.denied')
  await nameLanes(api, names)
  const variables = new Set<string>()
  return {
    names,
    sections: read.map(({ section, stored }) => ({
      section,
      things: stored && thingsOf(section, stored, names, variables),
    })),
  }
}

/** Each section names what others refer to, unless those that are wanted refer to nothing. */
function neededOf(wanted: Pick<ReadonlySet<string>, 'has'> | undefined): readonly Section[] {
  const own = sections.filter(({ name }) => wanted?.has(name))
  return own.length > 0 && own.every(({ isAlone }) => isAlone) ? own : sections
}

/** Names of schedules and rules may come twice: the later ones get a number. */
function uniquely(taken: Set<string>) {
  return (thing: StoredThing): StoredThing => {
    let name = thing.name
    for (let number = 2; taken.has(name); number++) name = `${thing.name} (${number})`
    taken.add(name)
    return { ...thing, name }
  }
}

/** Lanes come with workflows, and rules of alarms refer to them. */
export async function nameLanes(api: OwnApi, names: Names): Promise<void> {
  const lanes = await api
    .get<{ lanes: { id: number; name: string }[] }>('/api/alarm-rules/create')
    .catch((error: unknown) => {
      if (error instanceof Forbidden) return { lanes: [] }
      throw error
    })
  for (const { id, name } of lanes.lanes) names.add('lane', name, id)
}

function thingsOf(
  section: Section,
  stored: readonly StoredThing[],
  names: Names,
  variables: Set<string>,
): Map<string, CurrentThing> {
  const things = new Map<string, CurrentThing>()
  for (const { id, name, value, secrets } of stored.toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const own = structuredClone(value)
    for (const { keys } of secrets) {
      const variable = freeVariable(variableOf(section.name, name, keys), variables)
      setAt(own, keys, toReference(variable))
    }
    things.set(name, {
      id,
      value: names.toNames(own) as Value,
      stored: new Set(secrets.map(({ keys }) => keys.join('.'))),
    })
  }
  return things
}

function freeVariable(base: string, taken: Set<string>): string {
  let variable = base
  for (let number = 2; taken.has(variable); number++) variable = `${base}_${number}`
  taken.add(variable)
  return variable
}
