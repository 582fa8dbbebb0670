import { fieldError } from '../../kernel/app-error.ts'
import {
  noteInWords,
  problemsMax,
  readLocated,
  type DocumentNote,
  type Keys,
  type LocatedDocument,
} from '../../kernel/located-document.ts'
import { nameOfField } from './references.ts'
import type { Section } from './section.ts'
import type { Value } from './values.ts'
import { kept, referenceIn, valueAt } from './secrets.ts'
import { sections } from './sections.ts'
import { formatVersion } from './write-configuration.ts'

/** What a document wants of each section that it has, by name. */
export interface Wanted {
  things: ReadonlyMap<string, ReadonlyMap<string, Value>>
  note: LocatedDocument['note']
}

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a configuration. Throws a 422 under `document`, each message with its place. */
export function readConfiguration(text: string): Wanted {
  const read = readLocated(text)
  if (!read.ok) throw refusal(read.problems)
  const { value, note } = read.document
  const problems: DocumentNote[] = []
  // To find its place is long in a long document.
  const refuse = (keys: Keys, message: string) => {
    if (problems.length < problemsMax) problems.push(note(keys, message))
  }
  if (!isObject(value)) throw refusal([note([], 'This is no configuration: it has no sections.')])
  const { gatehouse, ...given } = value
  if (gatehouse !== formatVersion)
    refuse(['gatehouse'], `This is no configuration: it begins with gatehouse: ${formatVersion}`)
  const things = new Map<string, Map<string, Value>>()
  for (const [name, part] of Object.entries(given)) {
    const section = sections.find((each) => each.name === name)
    const known = sections.map((each) => each.name).join(', ')
    if (!section) refuse([name], `There is no such section. Known are ${known}.`)
    else if (part !== null && !isObject(part))
      refuse([name], 'A section holds things by their names.')
    else things.set(name, thingsIn(section, part ?? {}, refuse))
  }
  if (problems.length > 0) throw refusal(problems)
  return { things, note }
}

const refusal = (problems: DocumentNote[]) => fieldError({ document: problems.map(noteInWords) })

type Refuse = (keys: Keys, message: string) => void

function thingsIn(section: Section, part: Value, refuse: Refuse): Map<string, Value> {
  const things = new Map<string, Value>()
  const known = new Set(section.fields.map(nameOfField))
  for (const [name, value] of Object.entries(part)) {
    const keys = [section.name, name]
    if (!isObject(value)) {
      refuse(keys, 'A thing has fields.')
      continue
    }
    for (const field of Object.keys(value)) {
      if (!known.has(field))
        refuse([...keys, field], `There is no such field here. Known are ${[...known].join(', ')}.`)
    }
    const said = section.nameIn?.(value)
    if (said !== undefined && said !== name.replace(/ \(\d+\)$/, ''))
      refuse(keys, `By its fields it is called ${said}.`)
    refuseOpenSecrets(section, value, keys, refuse)
    things.set(name, value)
  }
  return things
}

/** A secret is never in the document itself. */
function refuseOpenSecrets(section: Section, value: Value, keys: Keys, refuse: Refuse): void {
  for (const place of section.secretsOf(value)) {
    const given = valueAt(value, place.keys)
    const isBlank = given === undefined || given === null || given === '' || given === kept
    if (isBlank || referenceIn(given) !== undefined) continue
    const words = `Secrets are given by reference, such as \${env:NAME}, or ${kept} for the stored one.`
    refuse([...keys, ...place.keys], words)
  }
}
