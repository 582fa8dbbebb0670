import { stringify } from 'yaml'
import type { Current } from './current.ts'

/** Of the format. */
export const formatVersion = 1

const head = `# The configuration of a Gatehouse: docs/configuration.md explains it.
# Secrets are references, such as \${env:NAME}. One without a value leaves the stored secret as it is.
`

/** The document of a configuration. Equal configurations give equal bytes. */
export function writeConfiguration({ sections }: Current): string {
  const hidden = sections.filter(({ things }) => !things).map(({ section }) => section.name)
  const shown = sections.flatMap(({ section, things }) => {
    if (!things || things.size === 0) return []
    const values = [...things].map(([name, { value }]) => [name, value] as const)
    return [[section.name, Object.fromEntries(values)] as const]
  })
  const notes = hidden.map((name) => `# You may not see: ${name}\n`).join('')
  const document = { gatehouse: formatVersion, ...Object.fromEntries(shown) }
  return head + notes + stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
}
