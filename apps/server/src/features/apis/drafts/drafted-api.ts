import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../../../db/tables.ts'
import { apiSignIn } from '../../../db/tables/apis.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'
import { readable } from '../../../kernel/readable.ts'
import { openCredential } from '../api-credentials.ts'
import type { toColumns } from '../api-columns.ts'

type ApiRow = Row<'api'>
type DraftRow = Row<'api_draft'>

const signInColumns = Object.keys(apiSignIn) as (keyof typeof apiSignIn)[]

type DraftedColumns = Omit<ReturnType<typeof toColumns>, 'name' | 'name_key' | 'document_register'>

/** The columns of an API that its draft would change. */
export function columnsOfDraft(draft: DraftRow) {
  const columns = JSON.parse(draft.columns) as DraftedColumns
  return { ...columns, ...pick(draft) }
}

/** The API as it would be if its draft were published. */
export const draftedApi = (api: ApiRow, draft: DraftRow): ApiRow => ({
  ...api,
  ...columnsOfDraft(draft),
})

/** The same of an API that is about to be stored as a draft. */
export function draftColumns(columns: ReturnType<typeof toColumns>, drafted: ApiRow) {
  const { name: _name, name_key: _key, document_register: _register, ...kept } = columns
  return { columns: JSON.stringify(kept satisfies DraftedColumns), ...pick(drafted) }
}

const pick = (row: Pick<ApiRow, keyof typeof apiSignIn>) =>
  Object.fromEntries(signInColumns.map((name) => [name, row[name]])) as Pick<
    ApiRow,
    keyof typeof apiSignIn
  >

/** The ids of the personal tokens that reach it. */
export const tokensOfDraft = ({ token_ids }: DraftRow): number[] =>
  JSON.parse(token_ids) as number[]

/**
 * Whether both sign in alike, secrets included: that is sealed again with each save, also where it stays the same.
 * False where one can't be read.
 */
export function isSameSignIn(box: SecretBox, one: ApiRow, other: ApiRow): boolean {
  const [first, second] = [one, other].map((row) =>
    readable(() => openCredential(box, row, 'live')),
  )
  return first !== undefined && isDeepStrictEqual(first, second)
}
