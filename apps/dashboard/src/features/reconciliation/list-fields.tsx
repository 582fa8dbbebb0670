import { Alert, Button, Code, List, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { EndpointSelect } from '../../entities/endpoint/endpoint-select.tsx'
import { call } from '../../lib/calls/call.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { listBodyOf, type ReconciliationForm } from './reconciliation-values.ts'

interface ListFieldsProps {
  form: ReconciliationForm
  which: 'erp' | 'authority'
  label: string
}

/** Where a list comes from and what is read of it, with a trial of yesterday. */
export function ListFields({ form, which, label }: ListFieldsProps) {
  const list = form.values[which]
  const trying = useMutation({
    mutationFn: () => call('POST /api/reconciliations/try', { body: { list: listBodyOf(list) } }),
  })
  const error = form.errors[`${which}.endpoint_id`]
  const field = (name: string) => ({
    ...form.getInputProps(`${which}.${name}`),
    spellCheck: false,
    dir: 'ltr' as const,
  })
  return (
    <Stack gap="md">
      <EndpointSelect
        label={label}
        onlyReads
        value={list.endpoint_id}
        onChange={(value) => form.setFieldValue(`${which}.endpoint_id`, value)}
        error={typeof error === 'string' ? error : undefined}
      />
      <Textarea
        label={`Request to the ${which === 'erp' ? 'ERP' : 'authority'}`}
        description="{{from}} and {{to}} are the days, {{from_at}} and {{to_at}} the moments."
        autosize
        minRows={2}
        {...field('request')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput label="List path" placeholder="data.invoices" {...field('items_path')} />
        <TextInput label="Reference path" placeholder="number" {...field('reference_path')} />
        <TextInput label="Amount path" placeholder="total" {...field('amount_path')} />
      </SimpleGrid>
      <div>
        <Button
          variant="default"
          size="sm"
          loading={trying.isPending}
          disabled={list.endpoint_id === null}
          onClick={() => trying.mutate()}
        >
          Try the list of yesterday
        </Button>
        <div aria-live="polite">
          {trying.isError && (
            <Alert color="red" mt="md" title="The list can’t be used">
              {reasonOf(trying.error)}
            </Alert>
          )}
          {trying.data && (
            <Alert color="green" mt="md" title={`${trying.data.found.toLocaleString('en')} found`}>
              <List size="sm" listStyleType="none">
                {trying.data.rows.map(({ reference, amount }) => (
                  <List.Item key={reference} style={{ overflowWrap: 'anywhere' }}>
                    <strong>{reference}</strong> {amount !== null && <Code>{amount}</Code>}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
        </div>
      </div>
    </Stack>
  )
}

function reasonOf(error: Error): string {
  const [first] = error instanceof CallError ? Object.values(error.errors).flat() : []
  return first ?? messageOf(error)
}
