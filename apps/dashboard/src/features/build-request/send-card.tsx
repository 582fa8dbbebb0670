import { useState, type ReactNode } from 'react'
import { bodyHint, fullNameOf, takesText } from '../../entities/endpoint/endpoint-words.ts'
import classes from './build-request.module.css'
import type { EngineLink } from './engine-link.ts'
import type { KeptForm } from './kept-form.ts'
import type { MappedPreview } from '../../entities/mapping/mapped-preview.ts'
import { useChoice } from '../../entities/endpoint/choice-source.tsx'
import { RequestCard } from './request-card.tsx'
import { SendControls } from './send-controls.tsx'
import { useLatest } from './use-engine.ts'
import type { Sending } from './use-sending.ts'
import { secondEndpoint, whatIsSent } from './what-is-sent.ts'

interface SendCardProps {
  form: KeptForm
  update: (changed: Partial<KeptForm>) => void
  engine: EngineLink
  sending: Sending
  preview: MappedPreview
  /** The fetched JSON as text; blank while there is none. */
  fetched: string
  /** What would be sent, and what the endpoint answered: between the endpoint and Send. */
  children: ReactNode
}

/** Where the data goes. The token lives here and nowhere else. */
export function SendCard({ form, update, engine, sending, ...props }: SendCardProps) {
  const [token, setToken] = useState('')
  const check = useLatest(engine.check, form.sendBody)
  const choice = useChoice(form.sendEndpoint)
  const sent = whatIsSent(form.sendBody, check?.isRows ?? false, form.rows)
  const { errors, clearError } = sending

  function handleSend() {
    sending.handleSend({
      endpoint: form.sendEndpoint,
      endpointName: fullNameOf(choice),
      fetched: props.fetched,
      second: secondEndpoint(form.sendBody, form.rows),
      token,
    })
  }
  return (
    <RequestCard
      attachForm={sending.attachForm}
      title="To endpoint"
      endpoint={form.sendEndpoint}
      onEndpoint={(sendEndpoint) => {
        update({ sendEndpoint })
        clearError('end_point')
      }}
      token={token}
      onToken={(token) => {
        setToken(token)
        clearError('token')
      }}
      body={form.sendBody}
      onBody={(sendBody) => {
        update({ sendBody })
        clearError('second_endpoint')
      }}
      bodyProblem={takesText(choice) ? undefined : check?.problem}
      bodyHint={bodyHint(choice, 'Blank: the mapped JSON is sent.')}
      errors={{
        endpoint: errors['end_point'],
        token: errors['token'],
        body: errors['second_endpoint'],
      }}
      showsBody
    >
      {props.children}
      <div className={classes['sendBar']}>
        <SendControls
          exchange={sending.exchange}
          openSend={form.openSend}
          sent={sent}
          hindrance={sent.kind === 'mapping' ? hindranceOf(props.preview) : undefined}
          onSend={handleSend}
          onChecked={sending.handleChecked}
        />
      </div>
    </RequestCard>
  )
}

function hindranceOf({ errors, needsData }: MappedPreview): string | undefined {
  if (errors.length === 1) return 'Correct the problem in the mapping first.'
  if (errors.length > 1) return `Correct the ${errors.length} problems in the mapping first.`
  return needsData ? 'Press Get first: the mapping reads from the fetched JSON.' : undefined
}
