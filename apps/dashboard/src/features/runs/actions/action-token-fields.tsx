import type { RunDetail } from '@gatehouse/contract'
import { TokenField } from '../../../entities/api/token-field.tsx'
import type { ActionTokens } from './action-tokens.ts'

interface ActionTokenFieldsProps {
  run: RunDetail
  /** The first step that is sent. */
  fromStep: number
  tokens: ActionTokens
  onChange: (tokens: ActionTokens) => void
}

/** Tokens typed for a run are not stored, so they are typed again for each later action. */
export function ActionTokenFields({ run, fromStep, tokens, onChange }: ActionTokenFieldsProps) {
  const firstOther = Math.max(fromStep, 2)
  const last = run.steps.length
  return (
    <>
      {fromStep === 1 && (
        <TokenField
          label="Token of step 1"
          value={tokens.first}
          onChange={(first) => onChange({ ...tokens, first })}
        />
      )}
      {last >= firstOther && (
        <TokenField
          label={
            last === firstOther
              ? `Token of step ${last}`
              : `Token of steps ${firstOther} to ${last}`
          }
          value={tokens.others}
          onChange={(others) => onChange({ ...tokens, others })}
        />
      )}
    </>
  )
}
