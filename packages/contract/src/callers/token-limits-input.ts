import { z } from 'zod'
import { wireMethodNames } from '../endpoints/endpoint-methods.ts'
import { isId, optionalInteger, strictFields } from '../kernel/fields.ts'
import { quotaMax, scopeMax } from './token-limits.ts'
import { offOr } from '../apis/policy/traffic-policy-fields.ts'
import { clientAddressesInput } from '../apis/policy/traffic-policy-input.ts'

const ids = (what: string) =>
  z
    .union([z.array(z.union([z.number(), z.string()])), z.null()], {
      error: `The ${what} must be a list.`,
    })
    .optional()
    .transform((value) => [...new Set((value ?? []).map(Number))])
    .refine((value) => value.every(isId), { error: `Choose ${what} from the list.` })
    .refine((value) => value.length <= scopeMax, {
      error: `A token may name ${scopeMax} ${what} at most.`,
    })

const methodError = `Choose methods out of ${wireMethodNames.join(', ')}.`

const quota = strictFields({
  per_day: optionalInteger('quota of a day', 1, quotaMax),
  per_month: optionalInteger('quota of a month', 1, quotaMax),
}).transform((each) => (each.per_day === null && each.per_month === null ? null : each))

/** The limits of a token as a form sends them: what is absent limits nothing, and what is misspelt is refused. */
export const tokenLimitsInput = strictFields({
  endpoints: ids('endpoints'),
  workflows: ids('workflows'),
  methods: z
    .union([z.array(z.enum(wireMethodNames, { error: methodError })), z.null()], {
      error: methodError,
    })
    .optional()
    .transform((value) => [...new Set(value ?? [])]),
  client_addresses: offOr(clientAddressesInput),
  quota: offOr(quota),
})
