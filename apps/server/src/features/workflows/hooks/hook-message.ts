import { createHash } from 'node:crypto'
import type { CallContext } from '../../../kernel/mount.ts'
import { textIn } from '../../runs/answers/read-large.ts'
import { filterOf, schemeOf } from './hook-record.ts'
import type { HookRow } from './hook-store.ts'

type Context = Pick<CallContext, 'header'>

/** The id that is signed, or else the bytes themselves. */
export function receiptKeyOf(
  hook: Pick<HookRow, 'scheme'>,
  bodyText: string,
  { header }: Context,
): string {
  const { signed, id_header } = schemeOf(hook)
  const id = signed === 'id.timestamp.body' ? header(id_header) : undefined
  const what = id === undefined ? `body ${bodyText}` : `id ${id}`
  return createHash('sha256').update(what).digest('hex')
}

/** Whether the filter of a hook lets a message through. */
export async function passes(
  hook: Pick<HookRow, 'filter'>,
  bodyText: string,
  { header }: Context,
): Promise<boolean> {
  const filter = filterOf(hook)
  if (filter === null) return true
  const { where, name, equals } = filter
  const value = where === 'header' ? header(name.toLowerCase()) : await textIn(bodyText, name)
  return value === equals
}
