import { ActionIcon, Button, Input, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ApiFormState } from '../form/api-form-values.ts'
import { PolicyField, PolicyPart } from './policy-part.tsx'
import classes from './policy-part.module.css'
import { newTarget } from './traffic-policy-values.ts'

const maxTargets = 20
const list = 'traffic_policy.targets.others'

/** More base URLs that calls are shared out among, and whether they are asked how they are. */
export function PolicyTargets({ form }: { form: ApiFormState }) {
  const { others } = form.values.traffic_policy.targets
  return (
    <PolicyPart
      form={form}
      name="targets"
      label="Several base URLs"
      help="Shares calls out by weight. A weight of 0 takes a base URL out."
    >
      <PolicyField form={form} field="targets.own_weight" label="Weight of the base URL above" />
      <Stack gap="xs">
        <Input.Label labelElement="div">Other base URLs, and their weights</Input.Label>
        {others.map((_, at) => (
          // Rows have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <TargetRow key={at} form={form} at={at} isOnly={others.length === 1} />
        ))}
        <Input.Error>{form.errors[list]}</Input.Error>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={others.length >= maxTargets}
          onClick={() => form.insertListItem(list, newTarget)}
          style={{ alignSelf: 'flex-start' }}
        >
          Add a base URL
        </Button>
      </Stack>
      <HealthCheck form={form} />
    </PolicyPart>
  )
}

function TargetRow({ form, at, isOnly }: { form: ApiFormState; at: number; isOnly: boolean }) {
  const place = at + 1
  return (
    <div className={classes['target']}>
      <TextInput
        type="url"
        aria-label={`Other base URL ${place}`}
        placeholder="https://"
        {...form.getInputProps(`${list}.${at}.url`)}
      />
      <TextInput
        inputMode="numeric"
        aria-label={`Weight of other base URL ${place}`}
        placeholder="Weight"
        {...form.getInputProps(`${list}.${at}.weight`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove other base URL ${place}`}
        disabled={isOnly}
        onClick={() => form.removeListItem(list, at)}
      >
        <IconX size={16} />
      </ActionIcon>
    </div>
  )
}

function HealthCheck({ form }: { form: ApiFormState }) {
  return (
    <PolicyPart
      form={form}
      name="health_check"
      label="Health check"
      help="Asks each base URL again and again; one that does not answer 2xx or 3xx gets no calls."
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <PolicyField form={form} field="targets.health_check.path" label="Path" isText />
        <PolicyField
          form={form}
          field="targets.health_check.interval_seconds"
          label="Every"
          unit="seconds"
        />
        <PolicyField
          form={form}
          field="targets.health_check.timeout_ms"
          label="Time-out"
          unit="ms"
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PolicyField
          form={form}
          field="targets.health_check.unhealthy_after"
          label="Out after"
          unit="failures in a row"
        />
        <PolicyField
          form={form}
          field="targets.health_check.healthy_after"
          label="Back after"
          unit="successes in a row"
        />
      </SimpleGrid>
    </PolicyPart>
  )
}
