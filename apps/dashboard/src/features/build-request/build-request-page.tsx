import { Paper, Stack, Title } from '@mantine/core'
import { useMemo } from 'react'
import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page.tsx'
import { RepeatDialog } from '../../entities/run/repeat-dialog.tsx'
import { JsonPane } from '../../ui/json-pane.tsx'
import { buildRequestMessages } from './build-request-messages.ts'
import { buildRequestChoices } from './build-request-queries.ts'
import classes from './build-request.module.css'
import type { EngineLink } from './engine-link.ts'
import { FromPane } from './from-pane.tsx'
import { GetCard } from './get-card.tsx'
import type { KeptForm } from './kept-form.ts'
import { MappedJsonPane } from './mapped-json-pane.tsx'
import { noPreview } from '../../entities/mapping/mapped-preview.ts'
import { MappingEditor } from '../../entities/mapping/mapping-editor.tsx'
import { toWireRows, type FormRow } from '../../entities/mapping/mapping-form.ts'
import { SaveAsWorkflow } from '../../entities/workflow/save-as-workflow.tsx'
import { SendCard } from './send-card.tsx'
import { useEngine, useLatest } from './use-engine.ts'
import { useFetching, type Fetched } from './use-fetching.ts'
import { useKeptForm } from './use-kept-form.ts'
import { useMappingRows } from '../../entities/mapping/use-mapping-rows.ts'
import { useSending } from './use-sending.ts'
import { verdictOf } from './send-verdict.ts'
import type { Exchange } from './use-exchange.ts'

/** Fetch from one endpoint, map the data, send it to another (spec: build-request). */
export function BuildRequestPage() {
  const kept = useKeptForm()
  return (
    <Page
      title="Build Request"
      subtitle="Fetch from one endpoint, map the data, and send it to another."
      actions={<SaveAsWorkflow bundle={bundleOf(kept.form)} />}
    >
      <EndpointChoices
        source={buildRequestChoices}
        failureText={buildRequestMessages.choicesNotLoaded}
      >
        <BuildRequestForm kept={kept} />
      </EndpointChoices>
    </Page>
  )
}

/** What the form of a workflow begins with. */
const bundleOf = ({ getEndpoint, getBody, sendEndpoint, sendBody, rows }: KeptForm) => ({
  kind: 'general',
  steps: [
    { endpoint: getEndpoint, body: getBody },
    { endpoint: sendEndpoint, body: sendBody, rows: toWireRows(rows) },
  ],
})

/** The screen once the choices are there. */
function BuildRequestForm({ kept }: { kept: ReturnType<typeof useKeptForm> }) {
  const engine = useEngine()
  const { form, update } = kept
  const fetching = useFetching(engine)
  const sending = useSending(kept, engine)
  const mapping = useMappingRows(form.rows, kept.changeRows)
  const { fetched } = fetching
  const preview = usePreview(engine, form.rows, fetched)
  const ends = { form, update, engine }
  return (
    <Stack gap="md">
      <div className={classes['cards']}>
        <GetCard {...ends} fetching={fetching} />
        <SendCard {...ends} sending={sending} preview={preview} fetched={fetched?.json ?? ''} />
      </div>
      <AnswerPane exchange={sending.exchange} />
      <div className={classes['panes']}>
        <FromPane
          fetched={fetched}
          error={sending.errors['first_endpoint']}
          onPick={mapping.handlePick}
        />
        <Paper
          component="section"
          className={classes['card'] ?? ''}
          aria-labelledby={`${mapping.editorId}-title`}
        >
          <Stack gap="md">
            <MappingEditor
              rows={form.rows}
              errors={preview.errors}
              mapping={mapping}
              values={preview.values}
              coverage={preview.coverage}
            />
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
  // The engine has the data; new data is a reason to map again.
  const input = useMemo(() => ({ rows, fetched }), [rows, fetched])
  const map = useMemo(
    () =>
      ({ rows }: typeof input) =>
        engine.map(rows),
    [engine],
  )
  return useLatest(map, input) ?? noPreview
}

/** What the To endpoint answered to the last Send, whether it took it or not. */
function AnswerPane({ exchange }: { exchange: Exchange }) {
  const answer = useMemo(() => answerOf(exchange), [exchange])
  if (answer === '') return null
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="answer-title">
      <JsonPane
        label="Answer"
        title={
          <Title order={3} id="answer-title">
            Answer
          </Title>
        }
        value={answer}
        minHeight={60}
        maxHeight="40vh"
      />
    </Paper>
  )
}

function answerOf(exchange: Exchange): string {
  if (exchange.status === 'failed') return verdictOf(exchange.error, 'send').answer
  if (exchange.status !== 'done') return ''
  // An answer that is not JSON arrives as text: it is shown as it came, not in quotes.
  return exchange.answer.plain ?? exchange.answer.text
}
