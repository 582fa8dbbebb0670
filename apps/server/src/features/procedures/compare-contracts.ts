import type {
  ContractChange,
  DriftKind,
  ProcedureSignatureRecord,
  ResultShapes,
} from '@gatehouse/contract'

/** What callers of a procedure rely on. `shapes` is null until a call has shown them. */
export interface Promised {
  signature: ProcedureSignatureRecord
  shapes: ResultShapes | null
}

type Parameter = ProcedureSignatureRecord['parameters'][number]
type Column = ResultShapes[number][number]

/**
 * How a procedure differs from what was promised. Breaking is what may make a call fail or an answer
 * be misread: a parameter gone, new and required, of another type or direction; a record set or column
 * gone, moved or of another type; no longer read only. Additive changes break no caller.
 */
export function compareContracts(before: Promised, now: Promised): ContractChange[] {
  const changes = [
    ...parameterChanges(before.signature.parameters, now.signature.parameters),
    ...readOnlyChange(before.signature.isReadOnly, now.signature.isReadOnly),
  ]
  if (before.shapes && now.shapes) changes.push(...shapeChanges(before.shapes, now.shapes))
  return changes
}

/** The most severe of some changes; undefined where there are none. */
export function driftKindOf(changes: readonly ContractChange[]): DriftKind | undefined {
  if (changes.some(({ kind }) => kind === 'breaking')) return 'breaking'
  return changes.length > 0 ? 'additive' : undefined
}

const breaking = (text: string): ContractChange => ({ kind: 'breaking', text })
const additive = (text: string): ContractChange => ({ kind: 'additive', text })

function parameterChanges(before: Parameter[], now: Parameter[]): ContractChange[] {
  // Parameters are bound by name: their order means nothing to callers.
  const known = new Map(before.map((parameter) => [parameter.name, parameter]))
  const left = new Set(now.map(({ name }) => name))
  const gone = before
    .filter(({ name }) => !left.has(name))
    .map(({ name }) => breaking(`The parameter ${name} is gone.`))
  const others = now.flatMap((parameter) => {
    const old = known.get(parameter.name)
    if (old) return parameterChange(old, parameter)
    const isOptional = parameter.hasDefault || parameter.direction === 'out'
    const text = `The parameter ${parameter.name} (${describe(parameter)}) is new`
    return [isOptional ? additive(`${text}; callers may leave it out.`) : breaking(`${text}.`)]
  })
  return [...gone, ...others]
}

function parameterChange(old: Parameter, now: Parameter): ContractChange[] {
  const [before, after] = [describe(old), describe(now)]
  if (before !== after)
    return [breaking(`The parameter ${now.name} was ${before} and is ${after}.`)]
  if (old.hasDefault && !now.hasDefault)
    return [breaking(`The parameter ${now.name} may no longer be left out.`)]
  if (!old.hasDefault && now.hasDefault)
    return [additive(`The parameter ${now.name} may be left out.`)]
  return []
}

/** Direction and type in words: `inout decimal(38,10)`. Some catalogues name the size in the type. */
function describe({ direction, type, precision, scale, maxLength }: Parameter): string {
  const size = [precision ?? maxLength, scale].filter((each) => each !== null)
  const isSized = size.length === 0 || type.includes('(')
  return `${direction} ${type}${isSized ? '' : `(${size.join(',')})`}`
}

function readOnlyChange(before: boolean, now: boolean): ContractChange[] {
  if (before === now) return []
  return now
    ? [additive('It now declares that it only reads.')]
    : [breaking('It no longer declares that it only reads: GET may no longer call it.')]
}

function shapeChanges(before: ResultShapes, now: ResultShapes): ContractChange[] {
  const gone = before.length - now.length
  if (gone > 0)
    return [breaking(`It returned ${sets(before.length)} and now returns ${sets(now.length)}.`)]
  const more =
    now.length > before.length
      ? [additive(`It returns ${sets(now.length)} instead of ${before.length}.`)]
      : []
  return [...before.flatMap((columns, at) => columnChanges(at, columns, now[at] ?? [])), ...more]
}

const sets = (count: number) => (count === 1 ? '1 record set' : `${count} record sets`)

function columnChanges(at: number, before: Column[], now: Column[]): ContractChange[] {
  const where = `Record set ${at + 1}:`
  const types = new Map(now.map(({ name, type }) => [name, type]))
  const lost = before.flatMap(({ name, type }) => {
    const found = types.get(name)
    if (found === undefined) return [breaking(`${where} the column ${name} is gone.`)]
    return found === type
      ? []
      : [breaking(`${where} the column ${name} was ${type} and is ${found}.`)]
  })
  const known = new Set(before.map(({ name }) => name))
  const gained = now
    .filter(({ name }) => !known.has(name))
    .map(({ name, type }) => additive(`${where} the column ${name} (${type}) is new.`))
  return [...lost, ...gained]
}
