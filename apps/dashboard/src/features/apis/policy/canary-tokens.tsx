import type { ApiFormState } from '../form/api-form-values.ts'
import { ChosenTokens } from './chosen-tokens.tsx'

const field = 'traffic_policy.canary.token_ids'

/** The tokens whose calls go to the canary. */
export const CanaryTokens = ({ form }: { form: ApiFormState }) => (
  <ChosenTokens
    label="Tokens that lead there"
    ids={form.values.traffic_policy.canary.token_ids}
    onChange={(ids) => form.setFieldValue(field, ids)}
    error={form.errors[field]}
  />
)
