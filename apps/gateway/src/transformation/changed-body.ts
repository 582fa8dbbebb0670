import { mapData, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { TransformBody } from '@gatehouse/contract/transformation'
import { randomUUID } from 'node:crypto'
import { renderOutput } from '../output/render-output.ts'

type ChangedBody =
  | { ok: true; text: string; contentType: string }
  /** `reason`: for a person, without values of the body. */
  | { ok: false; reason: string }

const json = 'application/json; charset=utf-8'

/** The body that rows or a template make. Numbers stay as they were written. */
export function changedBody(
  made: TransformBody,
  source: ExactJson,
  scope: ExactObject,
): ChangedBody {
  if (made.kind === 'rows') {
    const moment = { now: new Date().toISOString(), seed: randomUUID() }
    const { mapped, errors } = mapData(source, made.rows, moment)
    const [first] = errors
    return first
      ? { ok: false, reason: `Row ${first.row + 1} (${first.field}): ${first.message}` }
      : { ok: true, text: stringifyExact(mapped), contentType: json }
  }
  const { output } = made
  if (output.kind === 'fixed')
    return { ok: true, text: output.body, contentType: output.contentType }
  const rendered = renderOutput(output, scope)
  return rendered.ok
    ? { ok: true, text: rendered.text, contentType: output.contentType }
    : { ok: false, reason: rendered.detail }
}
