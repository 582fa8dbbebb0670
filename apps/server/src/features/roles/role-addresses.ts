import { addressRanges } from '@gatehouse/contract'

interface Kept {
  allowed_addresses: string | null
}

/** Those of a stored role; none: it counts from everywhere. Throws where they can't be read. */
export const addressesOf = ({ allowed_addresses }: Kept): string[] =>
  allowed_addresses === null ? [] : addressRanges.min(1).parse(JSON.parse(allowed_addresses))

/** The same for forms and the audit trail, where what can't be read is shown as it is stored. */
export function shownAddresses(role: Kept): string[] {
  try {
    return addressesOf(role)
  } catch {
    return [role.allowed_addresses ?? '']
  }
}

/** Absent keeps what is stored. */
export const addressesColumn = (given: readonly string[] | undefined) =>
  given === undefined
    ? {}
    : { allowed_addresses: given.length === 0 ? null : JSON.stringify(given) }
