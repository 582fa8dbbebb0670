import type { DifferenceKind, DocumentState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { compareDecimals } from '../../kernel/text/decimals.ts'

/** An element of a list; the amount as it was written, null where there is none. */
export interface Listed {
  reference: string
  amount: string | null
}

export interface LedgerDocument extends Listed {
  register: string
  state: DocumentState
  document_id: number
  run_id: number | null
  /** Whether it was made in the period; else it was found by a reference of a list. */
  isInPeriod: boolean
}

export interface Difference {
  kind: DifferenceKind
  reference: string
  erp_amount: string | null
  ledger_amount: string | null
  authority_amount: string | null
  state: DocumentState | null
  document_id: number | null
  run_id: number | null
}

interface Compared {
  erp: readonly Listed[]
  ledger: readonly LedgerDocument[]
  /** Null where there is no list of an authority. */
  authority: readonly Listed[] | null
}

/** It was accepted, or may have been. */
const mayBeAccepted: ReadonlySet<DocumentState> = new Set(['accepted', 'unknown', 'pending'])

/** What differs, by reference in the order of the alphabet, and how many references agree. */
export function compareLists({ erp, ledger, authority }: Compared) {
  const erpBy = byReference(erp)
  const authorityBy = authority && byReference(authority)
  const ledgerBy = new Map(ledger.map((document) => [referenceKey(document.reference), document]))
  const keys = [
    ...new Set([...erpBy.keys(), ...ledgerBy.keys(), ...(authorityBy?.keys() ?? [])]),
  ].toSorted()
  const differences: Difference[] = []
  let agreeing = 0
  for (const key of keys) {
    const own = ledgerBy.get(key)
    const inErp = erpBy.get(key)
    const atAuthority = authorityBy?.get(key)
    const kinds = kindsOf(inErp, own, authorityBy === null ? null : atAuthority)
    if (kinds.length === 0) agreeing++
    for (const kind of kinds)
      differences.push({
        kind,
        reference: (own ?? inErp ?? atAuthority)?.reference ?? key,
        erp_amount: inErp?.amount ?? null,
        ledger_amount: own?.amount ?? null,
        authority_amount: atAuthority?.amount ?? null,
        state: own?.state ?? null,
        document_id: own?.document_id ?? null,
        run_id: own?.run_id ?? null,
      })
  }
  return { differences, agreeing, differing: keys.length - agreeing }
}

/** `atAuthority` is null where there is no list of an authority. */
function kindsOf(
  inErp: Listed | undefined,
  own: LedgerDocument | undefined,
  atAuthority: Listed | undefined | null,
): DifferenceKind[] {
  const kinds: DifferenceKind[] = []
  const isListed = inErp !== undefined || Boolean(atAuthority)
  if (own === undefined) {
    if (inErp) kinds.push('missing_here')
    if (atAuthority) kinds.push('only_at_authority')
  } else {
    if (!inErp && own.isInPeriod && mayBeAccepted.has(own.state)) kinds.push('missing_in_erp')
    if (atAuthority === undefined && own.isInPeriod && own.state === 'accepted')
      kinds.push('missing_at_authority')
    if (isListed && own.state !== 'accepted') kinds.push('state')
  }
  const amounts = [inErp?.amount, own?.amount, atAuthority?.amount]
  if (differ(amounts.filter((amount) => typeof amount === 'string'))) kinds.push('amount')
  return kinds
}

/** Compared as decimals; texts that are no numbers, as texts. */
const differ = (amounts: readonly string[]) =>
  amounts
    .slice(1)
    .some(
      (amount) =>
        (compareDecimals(amounts[0] ?? '', amount) ?? (amount === amounts[0] ? 0 : 1)) !== 0,
    )

const byReference = (list: readonly Listed[]) =>
  new Map(list.map((element) => [referenceKey(element.reference), element]))
