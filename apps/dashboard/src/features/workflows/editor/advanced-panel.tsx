import { Anchor, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { LaneSettings } from '@gatehouse/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import type { Workflow } from '../read-workflow.ts'
import type { WorkflowFormState, WorkflowFormValues } from '../workflow-form-values.ts'
import classes from './editor.module.css'
import { LaneFields } from './lane-fields.tsx'
import { callerWords, ReleaseFields } from './release-fields.tsx'
import type { LivePreview } from './use-workflow-preview.ts'

interface AdvancedPanelProps {
  form: WorkflowFormState
  live: LivePreview
  lanes: readonly LaneSettings[]
  /** Names of other workflows in the lane. */
  sharedWith: readonly string[]
  /** The workflow that is edited. */
  workflow: Pick<Workflow, 'id' | 'callback'> | undefined
}

const ownFields = /^(?:lane|order_key_path|inputs_per_run|needs_release|release_hours)(?:\.|$)/

/** What most workflows leave as it is: its line says how that is. */
export function AdvancedPanel({ form, live, lanes, sharedWith, workflow }: AdvancedPanelProps) {
  const orderKey = live.preview?.order_key
  return (
    <Disclosure
      title="Advanced"
      note={<PresentValues values={form.values} sharedWith={sharedWith} workflow={workflow} />}
      isOpenWhen={Object.keys(form.errors).some((field) => ownFields.test(field))}
    >
      <Stack gap="md">
        <LaneFields form={form} lanes={lanes} sharedWith={sharedWith} />
        <FormSection title="Order and batches">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Order key path"
              description={
                orderKey === null || orderKey === undefined
                  ? 'Inputs with the same key can keep their order.'
                  : `In the sample: ${orderKey}`
              }
              placeholder="customer.id"
              spellCheck={false}
              dir="ltr"
              {...form.getInputProps('order_key_path')}
            />
            <TextInput
              label="Inputs per run"
              description="More than 1: inputs of a batch go together, to a first step that takes several documents."
              inputMode="numeric"
              {...form.getInputProps('inputs_per_run')}
            />
          </SimpleGrid>
        </FormSection>
        <ReleaseFields form={form} />
        <FormSection title="Callback">
          <Callback workflow={workflow} />
        </FormSection>
      </Stack>
    </Disclosure>
  )
}

function Callback({ workflow }: Pick<AdvancedPanelProps, 'workflow'>) {
  if (!workflow)
    return (
      <Text size="sm" c="dimmed">
        You can set it on the page of the workflow after you create it.
      </Text>
    )
  const { id, callback } = workflow
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {callback ? `Results are sent to ${callback.url}` : 'Results are not sent anywhere.'}{' '}
      <Anchor component={Link} to={paths.messages(id, 'callback')} inherit underline="always">
        {callback ? 'Edit callback' : 'Set a callback'}
      </Anchor>
    </Text>
  )
}

interface PresentValuesProps extends Pick<AdvancedPanelProps, 'sharedWith' | 'workflow'> {
  values: WorkflowFormValues
}

function PresentValues({ values, sharedWith, workflow }: PresentValuesProps) {
  const { lane, slug, order_key_path, inputs_per_run, needs_release } = values
  const perRun = inputs_per_run.trim() || '1'
  return (
    <span className={classes['values']}>
      <Value>
        Lane <bdi>{lane.name.trim() || slug || '…'}</bdi>
      </Value>
      <Value>{lane.concurrency.trim() || '4'} at once</Value>
      {lane.per_second.trim() !== '' && <Value>{lane.per_second} a second</Value>}
      {lane.per_minute.trim() !== '' && <Value>{lane.per_minute} a minute</Value>}
      {lane.per_hour.trim() !== '' && <Value>{lane.per_hour} an hour</Value>}
      {lane.max_age_minutes.trim() !== '' && <Value>deadline {lane.max_age_minutes} min</Value>}
      {sharedWith.length > 0 && (
        <Value>
          shared with <bdi>{sharedWith.join(', ')}</bdi>
        </Value>
      )}
      <Value>
        {order_key_path === '' ? (
          'no order key'
        ) : lane.is_strict_order ? (
          <>
            strict order by <code dir="ltr">{order_key_path}</code>
          </>
        ) : (
          <>
            order key <code dir="ltr">{order_key_path}</code>
          </>
        )}
      </Value>
      <Value>{perRun === '1' ? '1 input per run' : <>{perRun} inputs per run</>}</Value>
      {needs_release !== 'nobody' && <Value>Release: {callerWords[needs_release]}</Value>}
      <Value>
        {workflow?.callback ? (
          <>
            callback to <bdi>{workflow.callback.url}</bdi>
          </>
        ) : (
          'no callback'
        )}
      </Value>
    </span>
  )
}

const Value = ({ children }: { children: ReactNode }) => (
  <span className={classes['presentValue']}>{children}</span>
)
