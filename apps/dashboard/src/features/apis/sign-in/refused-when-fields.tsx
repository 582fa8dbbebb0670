import type { AnswerRule } from '@gatehouse/contract'
import { isTokenKind, type CredentialKind } from '@gatehouse/contract/credential'
import { isBlankRule } from '../../../entities/answer-rule/blank-rule.ts'
import type { FormPart } from '../../../lib/forms/form-part.ts'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Fold } from '../../../ui/page/fold.tsx'
import { Loading } from '../../../ui/page/loading.tsx'

const AnswerRuleFields = lazyPart(
  async () =>
    (await import('../../../entities/answer-rule/answer-rule-fields.tsx')).AnswerRuleFields,
  <Loading />,
)

interface RefusedWhenFieldsProps {
  kind: CredentialKind
  part: FormPart<AnswerRule>
}

/** Which answers besides 401 say that the upstream refused the sign-in (spec: sign-in-renewal). */
export function RefusedWhenFields({ kind, part }: RefusedWhenFieldsProps) {
  return (
    <Fold
      title="Answers that refuse the sign-in"
      isInitiallyOpen={!isBlankRule(part.values)}
      isOpenWhen={part.hasErrorIn('')}
    >
      <AnswerRuleFields
        part={part}
        label="Refused when"
        description={`Besides 401, which always does. ${isTokenKind(kind) ? renewed : fixed}`}
        statusesPlaceholder="any status"
      />
    </Fold>
  )
}

const renewed =
  'The token is then replaced and the request sent once more. In the gateway, conditions count only ' +
  'beside statuses, and only for JSON answers of at most 64 KiB.'
const fixed = 'A run then counts the step as not done: the sign-in needs somebody.'
