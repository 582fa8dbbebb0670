import { useMemo, useState } from 'react'
import { Button, Group } from '@mantine/core'
import { bodyHint, takesText } from '../../entities/endpoint/endpoint-words.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useHasUnresolved } from '../../ui/text/unresolved.tsx'
import type { EngineLink } from './engine-link.ts'
import type { KeptForm } from './kept-form.ts'
import { useChoice } from '../../entities/endpoint/choice-source.tsx'
import { RequestCard } from './request-card.tsx'
import { BodyInputs } from './source/body-inputs.tsx'
import { useLatest } from './use-engine.ts'
import type { Fetching } from './use-fetching.ts'
import classes from './build-request.module.css'
import { Accepted, Failure } from './exchange-status.tsx'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'

interface GetCardProps {
  form: KeptForm
  update: (changed: Partial<KeptForm>) => void
  engine: EngineLink
  fetching: Fetching
}

/** Where the data comes from. The token lives here and nowhere else. */
export function GetCard({ form, update, engine, fetching }: GetCardProps) {
  const [token, setToken] = useState('')
  const check = useLatest(engine.check, form.getBody)
  const choice = useChoice(form.getEndpoint)
  const { errors, clearError } = fetching

  function handleGet() {
    fetching.handleGet({
      endpoint: form.getEndpoint,
      endpointName: choice?.summery ?? '',
      body: form.getBody,
      token,
    })
  }
  return (
    <RequestCard
      attachForm={fetching.attachForm}
      onSubmit={handleGet}
      title="From endpoint"
      onlyReads
      choiceHint={readOnlyHint}
      endpoint={form.getEndpoint}
      onEndpoint={(getEndpoint) => {
        update({ getEndpoint })
        clearError('end_point')
      }}
      token={token}
      onToken={(token) => {
        setToken(token)
        clearError('token')
      }}
      body={form.getBody}
      onBody={(getBody) => {
        update({ getBody })
        clearError('body')
      }}
      bodyProblem={takesText(choice) ? undefined : check?.problem}
      bodyHint={bodyHint(choice, 'May stay blank.')}
      inputs={
        <BodyInputs
          choice={choice}
          body={form.getBody}
          onBody={(getBody) => {
            update({ getBody })
            clearError('body')
          }}
        />
      }
      errors={{ endpoint: errors['end_point'], token: errors['token'], body: errors['body'] }}
    >
      <FetchControls exchange={fetching.exchange} onCancel={fetching.handleCancel} />
    </RequestCard>
  )
}

/** Why endpoints that “To endpoint” offers are missing here. */
const readOnlyHint =
  'Get only reads: endpoints that may change something are not offered here. An endpoint’s run settings can say that it reads.'

interface FetchControlsProps {
  exchange: Exchange
  onCancel: () => void
}

/** The Get button, and what became of the last Get. */
function FetchControls({ exchange, onCancel }: FetchControlsProps) {
  const can = useCan()
  const hasUnresolved = useHasUnresolved()
  const isWorking = exchange.status === 'working'
  const verdict = useMemo(
    () => (exchange.status === 'failed' ? verdictOf(exchange.error, 'fetch') : undefined),
    [exchange],
  )
  return (
    <>
      <Group gap="sm">
        <Button type="submit" loading={isWorking} disabled={hasUnresolved || !can('request.fetch')}>
          Get
        </Button>
        {isWorking && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <output className={classes['status']}>
          {isWorking && 'Fetching…'}
          {exchange.status === 'cancelled' && 'Cancelled.'}
          {exchange.status === 'done' && <Accepted verb="Fetched" answer={exchange.answer} />}
          {!can('request.fetch') && 'Your roles do not let you fetch.'}
        </output>
      </Group>
      {verdict && <Failure verdict={verdict} />}
    </>
  )
}
