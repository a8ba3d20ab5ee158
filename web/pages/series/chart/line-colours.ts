// The colours of lines beside each other, in the order in which the chart takes them. Names stand beside the lines.
export const lineColours = ['var(--accent)', 'var(--amber)', 'var(--green)', 'var(--violet)', 'var(--red)'] as const
