import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { JsonPane } from '../../../ui/json/json-pane.tsx'
import type { ApiFormState } from '../form/api-form-values.ts'
import { useRunSample, type SampleResult } from './procedure-calls.ts'
import type { ListedProcedure } from './procedure-list.tsx'

interface ProcedureSampleProps {
  form: ApiFormState
  apiId: number | undefined
  /** Its parameters make the values that are offered; undefined where it was typed. */
  procedure: ListedProcedure | undefined
}

/** Calls the procedure once, to see what it returns before anything is saved. */
export function ProcedureSample({ form, apiId, procedure }: ProcedureSampleProps) {
  const offered = sampleValues(procedure)
  const [typed, setTyped] = useState<string>()
  const sample = useRunSample(form, apiId)
  const problem = form.errors['values']
  return (
    <Disclosure title="Run with a sample" note="In a transaction that is rolled back.">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          What a rollback does not undo: changes of the schema, tables without transactions, numbers
          that were drawn, mails and files, and what the procedure itself commits.
        </Text>
        <JsonPane
          title="Values by parameter name"
          label="Values by parameter name"
          value={typed ?? offered}
          onChange={setTyped}
          problem={typeof problem === 'string' ? { message: problem } : undefined}
        />
        <Group>
          <Button
            variant="default"
            loading={sample.isPending}
            disabled={form.values.func_name.trim() === ''}
            onClick={() => sample.mutate(typed ?? offered)}
          >
            Run with a sample
          </Button>
        </Group>
        {sample.isError && (
          <Alert color="red" title="The sample did not run" role="alert">
            {messageOf(sample.error)}
          </Alert>
        )}
        {sample.isSuccess && <Result result={sample.data} />}
      </Stack>
    </Disclosure>
  )
}

function Result({ result }: { result: SampleResult }) {
  return (
    <>
      {!result.isRolledBack && (
        <Alert color="orange" title="Not rolled back" role="alert">
          The procedure ended the transaction itself: what it did stays.
        </Alert>
      )}
      <JsonPane title="What it returned" label="What it returned" value={result.text} />
    </>
  )
}

/** `{"id": null}`: every value that a call has to give. */
function sampleValues(procedure: ListedProcedure | undefined): string {
  const names = (procedure?.parameters ?? [])
    .filter(({ direction, hasDefault }) => direction !== 'out' && !hasDefault)
    .map(({ name }) => `  ${JSON.stringify(name)}: null`)
  return names.length === 0 ? '{}' : `{\n${names.join(',\n')}\n}`
}
