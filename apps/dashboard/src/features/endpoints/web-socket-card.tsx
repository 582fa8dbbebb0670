import { SimpleGrid, TextInput } from '@mantine/core'
import { SwitchCard } from '../../ui/form/switch-card.tsx'
import type { EndpointFormState } from './endpoint-form-values.ts'

/** Whether WebSockets pass through the endpoint, and within which bounds. */
export function WebSocketCard({ form }: { form: EndpointFormState }) {
  return (
    <SwitchCard
      label="WebSocket"
      description="Clients may open a WebSocket here. It passes through to the upstream once the token, access and limits are checked."
      isOn={form.values.web_socket.is_on}
      {...form.getInputProps('web_socket.is_on')}
      error={form.errors['web_socket']}
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          label="Idle time"
          description="Seconds without a byte"
          inputMode="numeric"
          {...form.getInputProps('web_socket.idle_seconds')}
        />
        <TextInput
          label="Longest life"
          description="Seconds; blank: no bound"
          inputMode="numeric"
          {...form.getInputProps('web_socket.life_seconds')}
        />
        <TextInput
          label="Largest message"
          description="Such as 512 KiB or 10 MB"
          {...form.getInputProps('web_socket.max_message_bytes')}
        />
      </SimpleGrid>
    </SwitchCard>
  )
}
