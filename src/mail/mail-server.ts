// Passes mails to the mail server of SMTP_URL. Errors are reported by their code alone: the text of a mail server may
// name addresses. The login never appears in them.
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../config.ts'
import type { Letter } from './letter.ts'
import { mailLimits } from './mail-limits.ts'

interface Envelope {
  readonly from: string
  readonly to: string
  /** Id that stays the same at every attempt, so that a mail that was accepted twice is recognised as one. */
  readonly messageId: string
  /** The address of the one-click request; null where there is nothing to unsubscribe from. */
  readonly unsubscribe: string | null
}

interface SendFailure {
  /** `EAUTH`, `ECONNREFUSED`, `550 at RCPT TO`. */
  readonly trouble: string
  /** Whether the mail server refused this mail permanently, so that another attempt probably fails too. */
  readonly isRefusal: boolean
}

export class MailServer {
  readonly #smtp: SmtpServer

  constructor(smtp: SmtpServer) {
    this.#smtp = smtp
  }

  /** Sends a mail; null if the mail server accepted it. */
  async send({ subject, text, html }: Letter, envelope: Envelope): Promise<SendFailure | null> {
    const { host, port, isSecure, needsTls, login } = this.#smtp
    const transport = createTransport({
      host,
      port,
      secure: isSecure,
      requireTLS: needsTls,
      ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
      connectionTimeout: mailLimits.sendMs / 4,
      greetingTimeout: mailLimits.sendMs / 4,
      socketTimeout: mailLimits.sendMs / 2,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const { from, to, messageId, unsubscribe } = envelope
    const headers: Record<string, string> = { 'auto-submitted': 'auto-generated' }
    if (unsubscribe !== null) {
      headers['list-unsubscribe'] = `<${unsubscribe}>`
      headers['list-unsubscribe-post'] = 'List-Unsubscribe=One-Click'
    }
    const tooLong = new AbortController()
    const timer = setTimeout(() => tooLong.abort(), mailLimits.sendMs)
    const late = new Promise<never>((_, reject) => {
      tooLong.signal.addEventListener('abort', () =>
        reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })),
      )
    })
    try {
      // An address is passed as an object: as text it could name several.
      const sent = transport.sendMail({ from, to: { name: '', address: to }, messageId, subject, text, html, headers })
      sent.catch(() => {})
      await Promise.race([sent, late])
      return null
    } catch (error) {
      return failureOf(error)
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }
}

function failureOf(error: unknown): SendFailure {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  const at = typeof command === 'string' ? command.slice(0, 20) : ''
  const trouble = status === null ? String(code ?? 'unknown').slice(0, 40) : `${status} at ${at}`
  const isOfMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(at)
  return { trouble, isRefusal: status !== null && status >= 500 && isOfMail }
}
