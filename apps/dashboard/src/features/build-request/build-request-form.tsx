import { Paper, Stack } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { useMemo, useState } from 'react'
import { AnswerPane } from './answer-pane.tsx'
import classes from './build-request.module.css'
import { detailOf } from './endpoint-select.tsx'
import { FetchControls } from './fetch-controls.tsx'
import { FromPane } from './from-pane.tsx'
import { MappedJsonPane } from './mapped-json-pane.tsx'
import { noPreview, type MappedPreview } from './mapped-preview.ts'
import { MappingEditor } from './mapping-editor.tsx'
import { RepeatDialog } from './repeat-dialog.tsx'
import { RequestCard } from './request-card.tsx'
import { SendControls } from './send-controls.tsx'
import type { EngineLink } from './engine-link.ts'
import type { FormRow } from './mapping-form.ts'
import { useEngine, useLatest } from './use-engine.ts'
import { useFetching, type Fetched } from './use-fetching.ts'
import { useKeptForm } from './use-kept-form.ts'
import { useMappingRows } from './use-mapping-rows.ts'
import { useSending } from './use-sending.ts'
import { secondEndpoint, whatIsSent } from './what-is-sent.ts'

/** The screen once the choices are there. Tokens live in this component and nowhere else. */
export function BuildRequestForm({ choices }: { choices: readonly EndpointOption[] }) {
  const engine = useEngine()
  const kept = useKeptForm()
  const { form, update, changeRows } = kept
  const [getToken, setGetToken] = useState('')
  const [sendToken, setSendToken] = useState('')
  const fetching = useFetching(engine)
  const sending = useSending(kept, engine)
  const mapping = useMappingRows(form.rows, changeRows)
  const preview = usePreview(engine, form.rows, fetching.fetched)
  const getCheck = useLatest(engine.check, form.getBody)
  const sendCheck = useLatest(engine.check, form.sendBody)
  const sent = whatIsSent(form.sendBody, sendCheck?.isRows ?? false, form.rows)
  const getChoice = choices.find(({ id }) => String(id) === form.getEndpoint)
  const sendChoice = choices.find(({ id }) => String(id) === form.sendEndpoint)

  function handleGet() {
    fetching.handleGet({
      endpoint: getChoice ? form.getEndpoint : null,
      endpointName: getChoice?.summery ?? '',
      body: form.getBody,
      token: getToken,
    })
  }
  function handleSend() {
    sending.handleSend({
      endpoint: sendChoice ? form.sendEndpoint : null,
      endpointName: nameOf(sendChoice),
      fetched: fetching.fetched?.json ?? '',
      second: secondEndpoint(form.sendBody, form.rows),
      token: sendToken,
    })
  }

  const isBodySent = sent.kind !== 'mapping'
  return (
    <Stack gap="md">
      <div className={classes['cards']}>
        <RequestCard
          attachForm={fetching.attachForm}
          onSubmit={handleGet}
          title="Form endpoint"
          choices={choices}
          endpoint={form.getEndpoint}
          onEndpoint={(getEndpoint) => {
            update({ getEndpoint })
            fetching.clearError('end_point')
          }}
          token={getToken}
          onToken={(token) => {
            setGetToken(token)
            fetching.clearError('token')
          }}
          body={form.getBody}
          onBody={(getBody) => {
            update({ getBody })
            fetching.clearError('body')
          }}
          bodyProblem={getCheck?.problem}
          bodyHint={bodyHint(getChoice, 'May stay blank.')}
          errors={{
            endpoint: fetching.errors['end_point'],
            token: fetching.errors['token'],
            body: fetching.errors['body'],
          }}
        >
          <FetchControls exchange={fetching.exchange} onCancel={fetching.handleCancel} />
        </RequestCard>
        <RequestCard
          attachForm={sending.attachForm}
          title="To endpoint"
          choices={choices}
          endpoint={form.sendEndpoint}
          onEndpoint={(sendEndpoint) => {
            update({ sendEndpoint })
            sending.clearError('end_point')
          }}
          token={sendToken}
          onToken={(token) => {
            setSendToken(token)
            sending.clearError('token')
          }}
          body={form.sendBody}
          onBody={(sendBody) => {
            update({ sendBody })
            sending.clearError('second_endpoint')
          }}
          bodyProblem={sendCheck?.problem}
          bodyHint={bodyHint(sendChoice, 'Blank: the mapped JSON is sent.')}
          errors={{
            endpoint: sending.errors['end_point'],
            token: sending.errors['token'],
            body: sending.errors['second_endpoint'],
          }}
        >
          <SendControls
            exchange={sending.exchange}
            openSend={form.openSend}
            sent={sent}
            hindrance={isBodySent ? undefined : hindranceOf(preview)}
            onSend={handleSend}
            onChecked={sending.handleChecked}
          />
        </RequestCard>
      </div>
      <AnswerPane exchange={sending.exchange} />
      <div className={classes['panes']}>
        <FromPane
          fetched={fetching.fetched}
          error={sending.errors['first_endpoint']}
          onPick={mapping.handlePick}
        />
        <Paper
          component="section"
          className={classes['card'] ?? ''}
          aria-labelledby="mapping-title"
        >
          <Stack gap="md">
            <MappingEditor rows={form.rows} errors={preview.errors} mapping={mapping} />
            <MappedJsonPane
              preview={preview}
              rows={form.rows}
              hasFields={!mapping.isJsonShown}
              onCopyToBody={() => update({ sendBody: preview.text })}
            />
          </Stack>
        </Paper>
      </div>
      <RepeatDialog
        doubt={sending.doubt?.kind}
        onConfirm={sending.handleConfirm}
        onClose={sending.handleDismiss}
      />
    </Stack>
  )
}

function usePreview(engine: EngineLink, rows: FormRow[], fetched: Fetched | undefined) {
  // The engine has the data; a new one is a reason to map anew.
  const input = useMemo(() => ({ rows, fetched }), [rows, fetched])
  const map = useMemo(
    () =>
      ({ rows }: typeof input) =>
        engine.map(rows),
    [engine],
  )
  return useLatest(map, input) ?? noPreview
}

function nameOf(choice: EndpointOption | undefined): string {
  return choice ? `${choice.summery} (${choice.method_type.toUpperCase()} ${detailOf(choice)})` : ''
}

function bodyHint(choice: EndpointOption | undefined, whenBlank: string): string {
  const parameters = choice?.path.match(/\{\w+\}/g)?.join(', ')
  const rest =
    choice?.method_type === 'get' ? 'the rest becomes the query string' : 'the rest is sent'
  if (parameters === undefined) return `JSON. ${whenBlank}`
  return `JSON. Its fields fill ${parameters} of the path; ${rest}.`
}

function hindranceOf({ errors, needsData }: MappedPreview): string | undefined {
  if (errors.length === 1) return 'Correct the problem in the mapping first.'
  if (errors.length > 1) return `Correct the ${errors.length} problems in the mapping first.`
  return needsData ? 'Press Get first: the mapping reads from the fetched JSON.' : undefined
}
