import type { GatewayRequest } from '@gatehouse/contract'

/** What the status of a request says in a word, where its number says too little. */
export function statusWords({ status }: Pick<GatewayRequest, 'status'>): string {
  if (status === 0) return 'cut off'
  return status === 499 ? '499 client left' : String(status)
}

export function statusColor({ status }: Pick<GatewayRequest, 'status'>): string {
  if (status === 0 || status >= 500) return 'red'
  return status >= 400 ? 'orange' : 'green'
}

/** Milliseconds as the log states them, up to minutes. */
export const formatTaken = (ms: number) =>
  ms < 10_000
    ? `${ms.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms`
    : `${(ms / 1_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`

/** Whose request it was. */
export function clientName({ user, user_id, issuer_id, subject, address }: GatewayRequest): string {
  if (issuer_id !== null && subject !== '') return subject
  return user ?? (user_id === null ? address : `user #${user_id}`)
}

export function tokenName({ token, token_id }: GatewayRequest): string {
  return token ?? (token_id === null ? '' : `token #${token_id}`)
}

/** Whose JWT it showed; blank for none. */
export function issuerName({ issuer, issuer_id }: GatewayRequest): string {
  return issuer ?? (issuer_id === null ? '' : `issuer #${issuer_id}`)
}

/** The endpoint that was met. */
export function endpointName({ endpoint, endpoint_id }: GatewayRequest): string {
  return endpoint ?? (endpoint_id === null ? 'none' : `#${endpoint_id}, deleted since`)
}
