import { useQuery } from '@tanstack/react-query'
import type { ApiSignIn } from '@gatehouse/contract'
import { signInWarnings, type SignInWarning } from '../../../entities/api/sign-in-words.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { apiQueries } from '../api-queries.ts'

export interface SignInFinding {
  signIn: ApiSignIn
  warnings: SignInWarning[]
}

const urgency = ['red', 'orange', 'yellow']
const urgencyOf = ({ warnings }: SignInFinding) =>
  Math.min(...warnings.map(({ color }) => urgency.indexOf(color)))

/** The sign-ins that need somebody, the worst first. */
export const signInFindings = (signIns: readonly ApiSignIn[], now: Date): SignInFinding[] =>
  signIns
    .map((signIn) => ({ signIn, warnings: signInWarnings(signIn, now) }))
    .filter(({ warnings }) => warnings.length > 0)
    .toSorted((one, other) => urgencyOf(one) - urgencyOf(other))

/** How many there are; the list is further down on the same screen. */
export function useSignInTroubles() {
  const can = useCan()
  const query = useQuery({ ...apiQueries.signIns(), enabled: can('api.view') })
  const found = signInFindings(query.data ?? [], new Date(query.dataUpdatedAt))
  return [
    {
      key: 'sign-ins',
      label: 'Sign-ins and certificates',
      count: found.length,
      hint: 'Refused, failing or about to end.',
      color: found.some((each) => urgencyOf(each) === 0) ? 'red' : 'orange',
      to: '#sign-ins',
    },
  ]
}
