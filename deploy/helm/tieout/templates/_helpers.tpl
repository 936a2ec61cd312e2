{{- define "tieout.name" -}}
{{- printf "%s-tieout" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "tieout.labels" -}}
app.kubernetes.io/name: tieout
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "tieout.selector" -}}
app.kubernetes.io/name: tieout
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tieout.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "tieout.env" -}}
- { name: TIEOUT_CONFIG, value: /config/tieout.yaml }
- { name: TIEOUT_OUT, value: {{ .Values.packs.address | default "/out" }} }
- { name: TIEOUT_METRICS, value: '0.0.0.0:9464' }
- { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
- { name: TIEOUT_LAKE, value: {{ .Values.lake.catalog | default "/app/data" | quote }} }
{{- with .Values.lake.data }}
- { name: TIEOUT_LAKE_DATA, value: {{ . | quote }} }
{{- end }}
{{- range compact (.Values.secret.keys | default list) }}
- { name: {{ . }}_FILE, value: /secrets/{{ . }} }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{- define "tieout.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "tieout.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "tieout.mounts" -}}
- { name: config, mountPath: /config, readOnly: true }
- { name: secrets, mountPath: /secrets, readOnly: true }
- { name: lake, mountPath: /app/data }
- { name: packs, mountPath: /out }
- { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "tieout.volumes" -}}
- { name: config, configMap: { name: {{ include "tieout.name" . }} } }
- { name: secrets, secret: { secretName: {{ .Values.secret.name }}, defaultMode: 0440 } }
- { name: tmp, emptyDir: {} }
- name: packs
{{- if .Values.packs.address }}
  emptyDir: {}
{{- else }}
  persistentVolumeClaim: { claimName: {{ .Values.packs.volume.existingClaim | default (printf "%s-packs" (include "tieout.name" .)) }} }
{{- end }}
- name: lake
{{- if .Values.lake.catalog }}
  emptyDir: {}
{{- else }}
  persistentVolumeClaim: { claimName: {{ .Values.lake.volume.existingClaim | default (printf "%s-lake" (include "tieout.name" .)) }} }
{{- end }}
{{- end -}}
