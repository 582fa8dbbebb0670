import type { MappingRow } from '@gatehouse/contract/mapping'
import { readKept, writeKept } from '../../lib/browser/kept-storage.ts'
import { readObject, textOr, toObject } from '../../lib/browser/kept-json.ts'
import { maxRows, newRow, toWireRows, type FormRow } from '../../entities/mapping/mapping-form.ts'

/** What survives a reload of the page. Tokens never do. */
export interface KeptForm {
  /** Ids as text, as the selects have them; null while nothing is chosen. */
  getEndpoint: string | null
  getBody: string
  sendEndpoint: string | null
  sendBody: string
  rows: FormRow[]
  /** A Send whose outcome the page has not seen yet: to which endpoint, and since when. */
  openSend: OpenSend | null
}

export interface OpenSend {
  endpoint: string
  startedAt: string
}

export const blankForm: KeptForm = {
  getEndpoint: null,
  getBody: '',
  sendEndpoint: null,
  sendBody: '',
  rows: [],
  openSend: null,
}

/** By user, so that a form is not shown to the next user of the same window. */
const keyOf = (userId: number) => `build-request.${userId}`

/** The form as it was left in this tab; what is missing or not what it should be is blank. */
export function loadForm(userId: number): KeptForm {
  const kept = readObject(readKept(keyOf(userId)))
  return {
    getEndpoint: textOr(kept['getEndpoint'], null),
    getBody: textOr(kept['getBody'], ''),
    sendEndpoint: textOr(kept['sendEndpoint'], null),
    sendBody: textOr(kept['sendBody'], ''),
    rows: Array.isArray(kept['rows']) ? kept['rows'].slice(0, maxRows).map(toRow) : [],
    openSend: toOpenSend(kept['openSend']),
  }
}

/** Browsers keep about five million characters for all of a site's pages. */
const keptBodyLength = 1_000_000

/** Keeps the form. A body of more than a million characters is left out. */
export function saveForm(userId: number, { rows, ...form }: KeptForm): void {
  const short = (body: string) => (body.length > keptBodyLength ? '' : body)
  const kept = {
    ...form,
    getBody: short(form.getBody),
    sendBody: short(form.sendBody),
    rows: toWireRows(rows),
  }
  try {
    writeKept(keyOf(userId), JSON.stringify(kept))
  } catch {
    // A full or forbidden storage: the form works, it only will not outlive the page.
  }
}

function toRow(value: unknown): FormRow {
  const kept = toObject(value)
  const field = (name: keyof MappingRow) => textOr(kept[name], '')
  return newRow({
    from: field('from'),
    to: field('to'),
    custom_input: field('custom_input'),
    type: field('type') || 'auto',
  })
}

function toOpenSend(value: unknown): OpenSend | null {
  const { endpoint, startedAt } = toObject(value)
  return typeof endpoint === 'string' && typeof startedAt === 'string'
    ? { endpoint, startedAt }
    : null
}

/** Forgets the open Send, for when its answer comes after the screen has been left. */
export function settleSend(userId: number): void {
  saveForm(userId, { ...loadForm(userId), openSend: null })
}
