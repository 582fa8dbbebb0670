/** What e-mails with a link say. The secret is behind `#`, which browsers send to no server. */
export const linkMails = {
  reset: (url: string) => ({
    subject: '[Gatehouse] Choose a new password',
    text: [
      'Somebody, hopefully you, has asked for a new password for your user of Gatehouse.',
      '',
      `Choose it here within 30 minutes: ${url}`,
      '',
      'The link counts once. Choosing a password ends all your sessions.',
      'If it was not you, you need do nothing: your password stays as it is.',
      '',
    ].join('\n'),
  }),
  invitation: (url: string) => ({
    subject: '[Gatehouse] Your invitation',
    text: [
      'You have a user of Gatehouse now, and sign in with this e-mail address.',
      '',
      `Choose your password within 7 days: ${url}`,
      '',
      'The link counts once. The administrator who has invited you can send another one.',
      '',
    ].join('\n'),
  }),
}

export const linkOf = (publicUrl: string, token: string) =>
  `${publicUrl}/dashboard/password#${token}`
