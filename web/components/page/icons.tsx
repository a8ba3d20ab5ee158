// The few icons the pages use, drawn on a 16-pixel grid with one line width. They are decoration, always beside text.
import type { ReactNode } from 'react'

function Icon({ children, size = 16 }: { readonly children: ReactNode; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export const IconCheck = () => (
  <Icon>
    <path d="m3 8.5 3.2 3.2L13 5" />
  </Icon>
)
export const IconClock = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 5v3.2l2 1.3" />
  </Icon>
)
export const IconAlert = () => (
  <Icon>
    <path d="M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.2v.1" />
  </Icon>
)
export const IconInfo = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 7.4V11M8 5.1v.1" />
  </Icon>
)
export const IconSearch = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </Icon>
)
export const IconSun = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
  </Icon>
)
export const IconMoon = () => (
  <Icon>
    <path d="M13.2 9.7A5.7 5.7 0 0 1 6.3 2.8a5.7 5.7 0 1 0 6.9 6.9Z" />
  </Icon>
)
export const IconCopy = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M3.8 10.5h-.3a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v.3" />
  </Icon>
)
export const IconDownload = () => (
  <Icon>
    <path d="M8 2.5v7.2M5 7l3 3 3-3M2.8 13.2h10.4" />
  </Icon>
)
export const IconBringIn = () => (
  <Icon>
    <path d="M8 10V2.8M5 5.6l3-3 3 3M2.8 9.5v3.7h10.4V9.5" />
  </Icon>
)
export const IconPlus = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const IconCross = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
)
export const IconChevron = () => (
  <Icon>
    <path d="m5 6.5 3 3 3-3" />
  </Icon>
)
export const IconRight = () => (
  <Icon>
    <path d="m6.5 4.5 3.5 3.5-3.5 3.5" />
  </Icon>
)
export const IconLeft = () => (
  <Icon>
    <path d="M9.5 4.5 6 8l3.5 3.5" />
  </Icon>
)
export const IconOut = () => (
  <Icon>
    <path d="M6.5 3.5h-3v9h9v-3M9.5 3h3.5v3.5M13 3 7.5 8.5" />
  </Icon>
)
export const IconPrint = () => (
  <Icon>
    <path d="M4.5 6V2.5h7V6M4.5 11.5h-2v-5h11v5h-2M4.5 9.5h7v4h-7z" />
  </Icon>
)
export const IconLedger = () => (
  <Icon>
    <path d="M3 2.5h10v11H3zM8 2.5v11M5 5.5h1M5 8h1M10 5.5h1M10 8h1" />
  </Icon>
)
export const IconOverview = () => (
  <Icon>
    <path d="M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-5.5M13.5 13.5V2.5" />
  </Icon>
)
export const IconSeries = () => (
  <Icon>
    <path d="m2 11 3.5-4 3 2.5L14 4" />
  </Icon>
)
export const IconAgreement = () => (
  <Icon>
    <path d="M10.8 3.2c-2.2-.9-3 .5-3.3 2L6.2 11c-.4 1.6-1.2 2.6-2.9 1.9M4.8 7h4.5M9.8 9l3.4 4M13.2 9l-3.4 4" />
  </Icon>
)
export const IconSign = () => (
  <Icon>
    <path d="M2.5 13.5h11M4 10.5l6.6-7.2 2 1.9L6 12l-2.5.5.5-2Z" />
  </Icon>
)
export const IconKey = () => (
  <Icon>
    <circle cx="5.2" cy="10.8" r="2.7" />
    <path d="m7.2 8.8 6-6M10.6 5.4l2 2" />
  </Icon>
)
export const IconSettings = () => (
  <Icon>
    <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6" />
    <circle cx="10" cy="4.5" r="1.5" />
    <circle cx="6" cy="11.5" r="1.5" />
  </Icon>
)
export const IconInstallation = () => (
  <Icon>
    <rect x="2.5" y="3" width="11" height="4" rx="1" />
    <rect x="2.5" y="9" width="11" height="4" rx="1" />
    <path d="M5 5h.01M5 11h.01" />
  </Icon>
)
export const IconDue = () => (
  <Icon>
    <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.2V5M10.5 2.2V5" />
    <path d="m6 10.2 1.4 1.4 2.6-2.7" />
  </Icon>
)

export const IconIndexChange = () => (
  <Icon>
    <path d="M1.5 11.5 5 8l2.5 1.5" />
    <path d="m8.5 6.5 2.5 1.5 3.5-4" />
    <path d="M8 2v2M8 12v2" />
  </Icon>
)

export const IconRevision = () => (
  <Icon>
    <path d="M2 10.5 5.5 7l3 2.5L14 4" />
    <path d="M2 13.5h12" />
    <path d="M10.5 4H14v3.5" />
  </Icon>
)

export const IconInvoice = () => (
  <Icon>
    <path d="M3.5 1.5h9v13l-2.25-1.5L8 14.5 5.75 13 3.5 14.5z" />
    <path d="M6 5.5h4M6 8.5h4" />
  </Icon>
)
