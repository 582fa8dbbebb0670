import type { AddressCheck } from '@gatehouse/contract'
import { checkConnection, type AddressGuard } from '@gatehouse/upstream'

/** Says whether a base URL can be reached from this server, through the address guard. */
export async function checkApiAddress(guard: AddressGuard, url: string): Promise<AddressCheck> {
  const target = new URL(url)
  const refusal = guard.literalRefusal(target)
  const nothing = { address: null, certificate: null }
  if (refusal !== undefined)
    return {
      is_reached: false,
      reason: `This address can't be used: ${refusal}.`,
      took_ms: 0,
      ...nothing,
    }
  const check = await checkConnection({ guard }, target)
  if (!check.ok)
    return { is_reached: false, reason: check.failure.message, took_ms: check.tookMs, ...nothing }
  const { address, tookMs, certificate } = check
  return {
    is_reached: true,
    reason: null,
    address,
    took_ms: tookMs,
    certificate: certificate && {
      subject: certificate.subject,
      issuer: certificate.issuer,
      valid_until: certificate.validUntil.toISOString(),
    },
  }
}
