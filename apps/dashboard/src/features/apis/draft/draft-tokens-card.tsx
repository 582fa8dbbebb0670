import { FormCard } from '../../../ui/form/form-card.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { ChosenTokens } from '../policy/chosen-tokens.tsx'

/** Whom a draft serves. */
export const DraftTokensCard = ({ form }: { form: ApiFormState }) => (
  <FormCard
    title="Tokens"
    description="Calls with one of these tokens are served by the draft, all others by the settings in force."
  >
    <ChosenTokens
      label="Tokens that reach the draft"
      ids={form.values.draft_tokens}
      onChange={(ids) => form.setFieldValue('draft_tokens', ids)}
      error={form.errors['draft_tokens']}
    />
  </FormCard>
)
