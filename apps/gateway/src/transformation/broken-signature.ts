import type { TransformRule } from '@gatehouse/contract/transformation'

/** Components of a signature (RFC 9421 §2) that the rules change. */
export function changedComponents(rules: readonly TransformRule[]): string[] {
  return rules.flatMap((rule) => {
    if (rule.kind === 'path') return ['@path', '@target-uri', '@request-target']
    if (rule.kind === 'set query' || rule.kind === 'remove query')
      return ['@query', '@query-param', '@target-uri', '@request-target']
    return rule.kind === 'rename header' ? [rule.name, rule.to] : [rule.name]
  })
}

/** Leaves out each signature (RFC 9421) that covers a component that is changed: it holds no longer. Others stay. */
export function withoutBrokenSignature(
  fields: readonly string[],
  changed: readonly string[],
): readonly string[] {
  const broken = new Set<string>()
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (fields[at]?.toLowerCase() === 'signature-input')
      for (const member of membersOf(fields[at + 1] ?? ''))
        if (coveredBy(member).some((name) => changed.includes(name))) broken.add(labelOf(member))
  if (broken.size === 0) return fields
  const kept: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = fields.slice(at, at + 2)
    const isCut = /^signature(-input)?$/i.test(name)
    const left = isCut ? membersOf(value).filter((member) => !broken.has(labelOf(member))) : [value]
    if (left.length > 0) kept.push(name, left.join(', '))
  }
  return kept
}

/** Members of a dictionary (RFC 9651 §3.2), as they are spelt. */
function membersOf(dictionary: string): string[] {
  const members: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < dictionary.length; at++) {
    const char = dictionary[at]
    if (isQuoted && char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) {
      members.push(dictionary.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...members, dictionary.slice(start).trim()]
}

const labelOf = (member: string) => member.slice(0, (member + '=').indexOf('='))

/** Names of components in the list of a member of Signature-Input, without their parameters. */
function coveredBy(member: string): string[] {
  const list = /^[^=]*=\(([^)]*)/.exec(member)?.[1] ?? ''
  return [...list.toLowerCase().matchAll(/(?:^|\s)"([^"]*)"/g)].map(([, name = '']) => name)
}
