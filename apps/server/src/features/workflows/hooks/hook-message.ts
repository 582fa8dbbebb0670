import { createHash } from 'node:crypto'
import type { HookFilter, HookScheme } from '@gatehouse/contract'
import type { CallContext } from '../../../kernel/mount.ts'
import { textIn } from '../../runs/answers/read-large.ts'

type Context = Pick<CallContext, 'header'>

/** The id that is signed, or else the bytes themselves. */
export function receiptKeyOf(
  { signed, id_header }: HookScheme,
  bodyText: string,
  { header }: Context,
): string {
  const id = signed === 'id.timestamp.body' ? header(id_header) : undefined
  const what = id === undefined ? `body ${bodyText}` : `id ${id}`
  return createHash('sha256').update(what).digest('hex')
}

/** Whether the filter of a hook lets a message through. */
export async function passes(
  filter: HookFilter | null,
  bodyText: string,
  { header }: Context,
): Promise<boolean> {
  if (filter === null) return true
  const { where, name, equals } = filter
  const value = where === 'header' ? header(name.toLowerCase()) : await textIn(bodyText, name)
  return value === equals
}
