import type { ConfigurationAction } from '@gatehouse/contract'
import type { Current, CurrentSection, CurrentThing } from './current.ts'
import type { Wanted } from './read-configuration.ts'
import type { Section } from './section.ts'
import type { Value } from './values.ts'
import { referenceIn, setAt, valueAt } from './secrets.ts'

interface FieldChange {
  field: string
  before: string | null
  after: string | null
}

/** A thing with what is to be done with it. */
export interface PlannedThing {
  section: Section
  name: string
  action: ConfigurationAction
  id: number | undefined
  /** As the document has it, with what it leaves out as it is; secrets in clear, blank ones stay. */
  value: Value
  fields: FieldChange[]
  /** References whose secrets are neither given nor stored. */
  missing: string[]
}

export interface ConfigurationPlan {
  things: PlannedThing[]
  /** References to secrets, and whether a value came. */
  references: Map<string, boolean>
}

interface PlanRequest {
  wanted: Wanted
  current: Current
  values: Readonly<Record<string, string>>
  isPruned: boolean
}

/** What has to be done, in the order of the sections. */
export function planConfiguration(request: PlanRequest): ConfigurationPlan {
  const references = new Map<string, boolean>()
  const things = request.current.sections.flatMap((of) => {
    const wanted = request.wanted.things.get(of.section.name)
    if (!wanted) return []
    const given = [...wanted].map(([name, value]) =>
      planThing(of, { name, given: value, values: request.values, references }),
    )
    const others = [...(of.things ?? [])].filter(([name]) => !wanted.has(name))
    return [...given, ...others.map(([name, thing]) => leftOver(of, name, thing, request))]
  })
  return { things, references }
}

function leftOver(
  { section }: CurrentSection,
  name: string,
  { id, value }: CurrentThing,
  { isPruned }: PlanRequest,
): PlannedThing {
  const action = isPruned && section.remove ? 'remove' : 'stays'
  return { section, name, action, id, value, fields: [], missing: [] }
}

interface Given {
  name: string
  given: Value
  values: Readonly<Record<string, string>>
  references: Map<string, boolean>
}

function planThing({ section, things }: CurrentSection, of: Given): PlannedThing {
  const { name, given, values, references } = of
  const current = things?.get(name)
  const value = merged(structuredClone(current?.value ?? {}), structuredClone(given)) as Value
  if (current) section.keepState?.(current.value, value)
  const before = structuredClone(current?.value ?? {})
  const after = structuredClone(value)
  const missing: string[] = []
  for (const { keys } of section.secretsOf(value)) {
    const reference = referenceIn(valueAt(given, keys))
    const isStored = current?.stored.has(keys.join('.')) ?? false
    const secret = reference === undefined ? undefined : own(values, reference)
    if (reference !== undefined) {
      references.set(reference, secret !== undefined)
      if (secret === undefined && !isStored) missing.push(reference)
    }
    setAt(value, keys, secret ?? '')
    setAt(before, keys, isStored ? 'stored' : '')
    setAt(after, keys, secret === undefined ? (isStored ? 'stored' : '') : `from ${reference}`)
  }
  const fields = changedFields(before, after)
  const action = !current ? 'add' : fields.length > 0 ? 'change' : 'same'
  return { section, name, action, id: current?.id, value, fields: current ? fields : [], missing }
}

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is given, and of what it leaves out what there is; a credential of another kind replaces the whole. */
function merged(current: unknown, given: unknown): unknown {
  if (!isObject(current) || !isObject(given)) return given
  if (given['kind'] !== undefined && given['kind'] !== current['kind']) return given
  const parts = Object.entries(given).map(([field, part]) => [field, merged(current[field], part)])
  return { ...current, ...Object.fromEntries(parts) }
}

const own = (values: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

const shownMax = 300
const fieldsMax = 100

/** The leaves that differ, by their dotted paths. */
function changedFields(before: Value, after: Value): FieldChange[] {
  const [old, now] = [leavesOf(before), leavesOf(after)]
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .slice(0, fieldsMax)
    .map((field) => ({
      field,
      before: old.get(field)?.slice(0, shownMax) ?? null,
      after: now.get(field)?.slice(0, shownMax) ?? null,
    }))
}

function leavesOf(value: unknown, path: string[] = [], leaves = new Map<string, string>()) {
  if (isObject(value) && Object.keys(value).length > 0)
    for (const [key, part] of Object.entries(value)) leavesOf(part, [...path, key], leaves)
  else leaves.set(path.join('.'), JSON.stringify(value, inOrder) ?? 'null')
  return leaves
}

/** Keys in one order, so that equal values have equal texts. */
const inOrder = (_key: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
