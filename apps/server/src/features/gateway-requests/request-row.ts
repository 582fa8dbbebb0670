import { errorTable, gatewayErrorTable, type GatewayRequest } from '@gatehouse/contract'
import { redactSecrets } from '@gatehouse/logging'
import type { RequestAnswer } from './reading/read-requests.ts'

type Named = 'endpoint' | 'api' | 'user' | 'token' | 'issuer'

const textMaxLength = 4_096
const reasons: Record<string, { message: string } | undefined> = {
  ...errorTable,
  ...gatewayErrorTable,
}

/** What a line of the access log says of a request. Whatever it holds, the row has every field. */
export function toRequestRow(line: RequestAnswer['lines'][number]): Omit<GatewayRequest, Named> {
  const { file, offset, fields } = line
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? redactSecrets(value.slice(0, textMaxLength)) : ''
  }
  const number = (name: string) => idOf(fields[name]) ?? 0
  const code = text('code')
  return {
    file,
    offset,
    at: text('time'),
    request_id: text('request_id'),
    method: text('method'),
    path: text('path'),
    status: number('status'),
    code,
    reason: Object.hasOwn(reasons, code) ? (reasons[code]?.message ?? '') : '',
    detail: text('detail'),
    duration_ms: number('duration_ms'),
    upstream_ms: number('upstream_ms'),
    upstream_status: idOf(fields['upstream_status']),
    bytes_in: number('bytes_in'),
    bytes_out: number('bytes_out'),
    address: text('client'),
    endpoint_id: idOf(fields['endpoint_id']),
    api_id: idOf(fields['api_id']),
    user_id: idOf(fields['user_id']),
    token_id: idOf(fields['token_id']),
    issuer_id: idOf(fields['issuer_id']),
    subject: text('subject'),
    is_try: fields['is_try'] === true,
    is_draft: fields['is_draft'] === true,
    agent: fields['via'] === 'mcp' ? text('agent') : null,
  }
}

const idOf = (value: unknown) => (typeof value === 'number' ? value : null)
