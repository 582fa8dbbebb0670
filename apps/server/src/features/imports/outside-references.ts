import { problemsMax, type Keys, type LocatedDocument } from '../../kernel/located-document.ts'
import { UnfitDocument } from './imported-document.ts'

/** What holds data of others: a `$ref` there is no reference. */
const dataNames = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** Throws `UnfitDocument` with every reference that leads out of the document: nothing is fetched. */
export function refuseOutside(document: LocatedDocument): void {
  const problems = []
  const left: { value: unknown; keys: Keys }[] = [{ value: document.value, keys: [] }]
  for (let next = left.pop(); next && problems.length < problemsMax; next = left.pop()) {
    const { value, keys } = next
    if (typeof value !== 'object' || value === null) continue
    for (const [name, part] of Object.entries(value)) {
      const isReference = name === '$ref' && typeof part === 'string'
      if (isReference && !part.startsWith('#'))
        problems.push(
          document.note(
            [...keys, name],
            `The reference ${part} leads to another document. Nothing is fetched: put it into this one.`,
          ),
        )
      // `properties` may name a property `example`.
      const isData = dataNames.has(name) && keys.at(-1) !== 'properties'
      if (!isData && !name.startsWith('x-')) left.push({ value: part, keys: [...keys, name] })
    }
  }
  if (problems.length > 0) throw new UnfitDocument(problems)
}
