import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { AgentOffer } from '@gatehouse/contract'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import type { EndpointFormState } from './endpoint-form-values.ts'

export const agentOffers: { value: AgentOffer; label: string }[] = [
  { value: 'as_api', label: 'As the API' },
  { value: 'offered', label: 'Offered' },
  { value: 'not_offered', label: 'Not offered' },
]

const notes: Record<AgentOffer, string> = {
  as_api: 'A tool where its API is offered, if it only reads.',
  offered: 'A tool where its API is offered.',
  not_offered: 'Never a tool.',
}

/** Whether agents find the endpoint among their tools, and by which words. */
export function AgentsCard({ form }: { form: EndpointFormState }) {
  const hours = form.values.agent_release_hours
  return (
    <Disclosure
      title="Agents"
      note={notes[form.values.agent_offer as AgentOffer]}
      isOpenWhen={agentFields.some((field) => field in form.errors)}
    >
      <Stack gap="md">
        <RadioChoice
          label="Offer to agents"
          description="As the API offers what only reads. An endpoint that changes something is offered only here."
          choices={agentOffers}
          {...form.getInputProps('agent_offer')}
        />
        <TextInput
          label="Tool name"
          description="Small letters, digits and underscores. Blank: it is given once the endpoint becomes a tool, and stays."
          spellCheck={false}
          {...form.getInputProps('tool_name')}
        />
        <Textarea
          label="Tool description"
          description="Agents choose by it. Blank: the summery and the description."
          autosize
          minRows={2}
          {...form.getInputProps('tool_description')}
        />
        <Switch
          label="Agents need a release"
          description="A call is stored and not sent. A person with the permission run.release, who is not the owner of the token, sees what would be sent, and releases or refuses it."
          checked={hours !== ''}
          onChange={({ currentTarget }) =>
            form.setFieldValue('agent_release_hours', currentTarget.checked ? '24' : '')
          }
        />
        {hours !== '' && (
          <TextInput
            label="Hours until it expires"
            description="A call that nobody has released by then is cancelled."
            inputMode="numeric"
            maw={420}
            {...form.getInputProps('agent_release_hours')}
          />
        )}
      </Stack>
    </Disclosure>
  )
}

const agentFields = ['agent_offer', 'tool_name', 'tool_description', 'agent_release_hours']
