// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of nvcc 13.0 as `nvcc --help` lists them, and a few that it takes
// without listing. What has a name of its own in NvccFlags.cpp is translated;
// what is in the group Ignored says nothing about how a file reads.

include "llvm/Option/OptParser.td"

def Ignored : OptionGroup<"ignored">;
/// Says nothing about how a file reads either, but what code nvcc makes of it,
/// or whether it makes some.
def Code : OptionGroup<"code">;

/// --long and -short.
multiclass Switch<string long, string short, OptionGroup group> {
  def NAME : Flag<["--"], long>, Group<group>;
  def NAME#_short : Flag<["-"], short>, Alias<!cast<Option>(NAME)>;
}
/// The same word behind one dash and behind two.
multiclass Word<string word, OptionGroup group> {
  def NAME : Flag<["--", "-"], word>, Group<group>;
}
/// --long VALUE, --long=VALUE, -short VALUE, -short=VALUE.
multiclass Value<string long, string short, OptionGroup group> {
  def NAME : Separate<["--"], long>, Group<group>;
  def NAME#_eq : Joined<["--"], long#"=">, Alias<!cast<Option>(NAME)>;
  def NAME#_short : Separate<["-"], short>, Alias<!cast<Option>(NAME)>;
  def NAME#_short_eq : Joined<["-"], short#"=">, Alias<!cast<Option>(NAME)>;
}
/// The same, and -xVALUE: options of one letter.
multiclass Letter<string long, string letter, OptionGroup group> {
  def NAME : Separate<["--"], long>, Group<group>;
  def NAME#_eq : Joined<["--"], long#"=">, Alias<!cast<Option>(NAME)>;
  def NAME#_short : JoinedOrSeparate<["-"], letter>, Alias<!cast<Option>(NAME)>;
}
/// What has a translation.
def Translated : OptionGroup<"translated">;

// What the preprocessor and the language see.
defm define : Letter<"define-macro", "D", Translated>;
defm undefine : Letter<"undefine-macro", "U", Translated>;
defm include_path : Letter<"include-path", "I", Translated>;
defm system_include : Value<"system-include", "isystem", Translated>;
defm pre_include : Value<"pre-include", "include", Translated>;
defm std : Value<"std", "std", Translated>;
defm optimize : Letter<"optimize", "O", Translated>;
defm rdc : Value<"relocatable-device-code", "rdc", Translated>;
defm device_c : Switch<"device-c", "dc", Translated>;
defm device_w : Switch<"device-w", "dw", Translated>;
defm relaxed_constexpr : Word<"expt-relaxed-constexpr", Translated>;
defm extended_lambda : Word<"extended-lambda", Translated>;
defm expt_extended_lambda : Word<"expt-extended-lambda", Translated>;
defm default_stream : Value<"default-stream", "default-stream", Translated>;
defm disable_warnings : Switch<"disable-warnings", "w", Translated>;
defm template_depth : Value<"ftemplate-depth", "ftemplate-depth", Translated>;
defm no_exceptions : Switch<"no-exceptions", "noeh", Translated>;
defm debug : Switch<"debug", "g", Translated>;
defm device_debug : Switch<"device-debug", "G", Translated>;
defm compiler_options : Value<"compiler-options", "Xcompiler", Translated>;
defm forward_host : Word<"forward-unknown-to-host-compiler", Translated>;
defm forward : Word<"forward-unknown-opts", Translated>;
defm options_file : Value<"options-file", "optf", Translated>;

// The job: inputs' kinds, phases, outputs, dependencies.
defm language : Letter<"x", "x", Ignored>;
defm cuda : Switch<"cuda", "cuda", Ignored>;
defm cubin : Switch<"cubin", "cubin", Ignored>;
defm fatbin : Switch<"fatbin", "fatbin", Ignored>;
defm ptx : Switch<"ptx", "ptx", Ignored>;
defm optix_ir : Switch<"optix-ir", "optix-ir", Ignored>;
defm ltoir : Switch<"ltoir", "ltoir", Ignored>;
defm preprocess : Switch<"preprocess", "E", Ignored>;
defm depend : Switch<"generate-dependencies", "M", Ignored>;
defm depend_user : Switch<"generate-nonsystem-dependencies", "MM", Ignored>;
defm depend_also : Switch<"generate-dependencies-with-compile", "MD", Ignored>;
defm depend_user_also
    : Switch<"generate-nonsystem-dependencies-with-compile", "MMD", Ignored>;
defm depend_output : Value<"dependency-output", "MF", Ignored>;
defm depend_phony : Switch<"generate-dependency-targets", "MP", Ignored>;
defm depend_target : Value<"dependency-target-name", "MT", Ignored>;
defm compile : Switch<"compile", "c", Ignored>;
defm device_link : Switch<"device-link", "dlink", Ignored>;
defm link : Switch<"link", "link", Ignored>;
defm lib : Switch<"lib", "lib", Ignored>;
defm run : Switch<"run", "run", Ignored>;
defm output : Letter<"output-file", "o", Ignored>;
defm output_directory : Value<"output-directory", "odir", Ignored>;
defm objdir_temp : Switch<"objdir-as-tempdir", "objtemp", Ignored>;
defm shared : Switch<"shared", "shared", Ignored>;
defm relocatable_link : Switch<"relocatable-link", "r", Ignored>;
defm no_device_link : Switch<"no-device-link", "nodlink", Ignored>;
defm run_args : Value<"run-args", "run-args", Ignored>;
defm clean : Switch<"clean-targets", "clean", Ignored>;
defm help : Switch<"help", "h", Ignored>;
defm version : Switch<"version", "V", Ignored>;
defm verbose : Switch<"verbose", "v", Ignored>;
defm dryrun : Word<"dryrun", Ignored>;
defm list_code : Switch<"list-gpu-code", "code-ls", Ignored>;
defm list_arch : Switch<"list-gpu-arch", "arch-ls", Ignored>;
defm threads : Letter<"threads", "t", Ignored>;
defm split_compile : Value<"split-compile", "split-compile", Ignored>;
defm split_compile_extended
    : Value<"split-compile-extended", "split-compile-extended", Ignored>;
defm keep : Word<"keep", Ignored>;
defm keep_dir : Value<"keep-dir", "keep-dir", Ignored>;
defm save_temps : Word<"save-temps", Ignored>;
defm time : Value<"time", "time", Ignored>;
defm device_time_trace
    : Value<"fdevice-time-trace", "fdevice-time-trace", Ignored>;
defm device_syntax_only : Word<"fdevice-syntax-only", Ignored>;
defm jobserver : Word<"jobserver", Ignored>;
defm drive_prefix : Value<"drive-prefix", "dp", Ignored>;
defm input_drive_prefix : Value<"input-drive-prefix", "idp", Ignored>;
defm depend_drive_prefix : Value<"dependency-drive-prefix", "ddp", Ignored>;
defm no_profile : Switch<"dont-use-profile", "noprof", Ignored>;
defm use_local_env : Word<"use-local-env", Ignored>;
defm force_cl_env : Word<"force-cl-env-setup", Ignored>;
defm no_align_double : Word<"no-align-double", Ignored>;

// The architectures: kpipe has an --arch of its own.
defm arch : Value<"gpu-architecture", "arch", Ignored>;
defm gpu_code : Value<"gpu-code", "code", Ignored>;
defm gencode : Value<"generate-code", "gencode", Ignored>;
defm machine : Letter<"machine", "m", Ignored>;
defm m64 : Word<"m64", Ignored>;

// Other tools' options.
defm linker_options : Value<"linker-options", "Xlinker", Ignored>;
defm archive_options : Value<"archive-options", "Xarchive", Ignored>;
defm ptxas_options : Value<"ptxas-options", "Xptxas", Code>;
defm nvlink_options : Value<"nvlink-options", "Xnvlink", Ignored>;
defm cudafe_options : Value<"cudafe-options", "Xcudafe", Ignored>;
defm fatbin_options : Value<"fatbin-options", "Xfatbin", Ignored>;
defm compiler_bindir : Value<"compiler-bindir", "ccbin", Code>;
defm archiver : Value<"archiver-binary", "arbin", Ignored>;
defm unsupported_compiler : Word<"allow-unsupported-compiler", Code>;
defm forward_linker : Word<"forward-unknown-to-host-linker", Ignored>;
defm library : Letter<"library", "l", Ignored>;
defm library_path : Letter<"library-path", "L", Ignored>;
defm cudart : Value<"cudart", "cudart", Ignored>;
defm cudadevrt : Value<"cudadevrt", "cudadevrt", Ignored>;
defm libdevice : Value<"libdevice-directory", "ldir", Code>;
defm target_dir : Value<"target-directory", "target-dir", Ignored>;
defm host_linker_script : Value<"host-linker-script", "hls", Ignored>;
defm augment_linker_script
    : Switch<"augment-host-linker-script", "aug-hls", Ignored>;

// Code generation.
defm profile : Switch<"profile", "pg", Ignored>;
defm lineinfo : Switch<"generate-line-info", "lineinfo", Ignored>;
defm opt_info : Value<"optimization-info", "opt-info", Ignored>;
defm ofast_compile : Value<"Ofast-compile", "Ofc", Code>;
defm dopt : Value<"dopt", "dopt", Code>;
defm dlto : Switch<"dlink-time-opt", "dlto", Ignored>;
defm lto : Word<"lto", Ignored>;
defm gen_opt_lto : Word<"gen-opt-lto", Ignored>;
defm template_backtrace
    : Value<"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Ignored>;
defm no_initializer_list
    : Switch<"no-host-device-initializer-list", "nohdinitlist", Code>;
defm no_move_forward
    : Switch<"no-host-device-move-forward", "nohdmoveforward", Code>;
defm static_stub : Value<"static-global-template-stub",
                         "static-global-template-stub", Ignored>;
defm hidden_entities : Value<"device-entity-has-hidden-visibility",
                             "device-entity-has-hidden-visibility", Ignored>;
defm entries : Value<"entries", "e", Ignored>;
defm maxrregcount : Value<"maxrregcount", "maxrregcount", Code>;
defm fast_math : Word<"use_fast_math", Code>;
defm ftz : Value<"ftz", "ftz", Code>;
defm prec_div : Value<"prec-div", "prec-div", Code>;
defm prec_sqrt : Value<"prec-sqrt", "prec-sqrt", Code>;
defm fmad : Value<"fmad", "fmad", Code>;
defm vectorization : Word<"extra-device-vectorization", Code>;
defm keep_functions : Word<"keep-device-functions", Ignored>;
defm source_in_ptx : Switch<"source-in-ptx", "src-in-ptx", Ignored>;
defm restrict : Word<"restrict", Code>;
defm whole_program : Switch<"extensible-whole-program", "ewp", Code>;
defm no_compress : Word<"no-compress", Ignored>;
defm compress_mode : Value<"compress-mode", "compress-mode", Ignored>;
defm qpp_config : Value<"qpp-config", "qpp-config", Ignored>;
defm tools_patch : Switch<"compile-as-tools-patch", "astoolspatch", Ignored>;
defm jump_table : Value<"jump-table-density", "jtd", Code>;
defm relocatable_ptx : Switch<"relocatable-ptx", "reloc-ptx", Ignored>;
defm stack_protector
    : Value<"device-stack-protector", "device-stack-protector", Code>;
defm random_seed : Value<"frandom-seed", "frandom-seed", Ignored>;
defm sanitize : Value<"sanitize", "sanitize", Code>;

// Diagnostics.
defm resource_usage : Switch<"resource-usage", "res-usage", Ignored>;
defm Wreorder : Word<"Wreorder", Code>;
defm Wdefault_stream : Word<"Wdefault-stream-launch", Code>;
defm Wlaunch_bounds : Word<"Wmissing-launch-bounds", Code>;
defm Wlambda_this : Word<"Wext-lambda-captures-this", Code>;
defm Wno_declarations : Word<"Wno-deprecated-declarations", Code>;
defm Wno_targets : Word<"Wno-deprecated-gpu-targets", Code>;
defm Werror : Value<"Werror", "Werror", Code>;
defm error_number : Switch<"display-error-number", "err-no", Ignored>;
defm no_error_number : Switch<"no-display-error-number", "no-err-no", Ignored>;
defm diag_error : Value<"diag-error", "diag-error", Code>;
defm diag_suppress : Value<"diag-suppress", "diag-suppress", Code>;
defm diag_warn : Value<"diag-warn", "diag-warn", Code>;
defm brief_diagnostics : Value<"brief-diagnostics", "brief-diag", Ignored>;
