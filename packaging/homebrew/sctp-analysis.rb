# SPDX-License-Identifier: GPL-2.0-or-later
# Homebrew's formula, of a checkout: brew install --HEAD ./packaging/homebrew/sctp-analysis.rb
# tshark alone: the application Wireshark is another package there, with a Qt of its own.
class SctpAnalysis < Formula
  desc "What each SCTP association of a capture did, for tshark"
  homepage "file://#{File.expand_path("../..", __dir__)}"
  license "GPL-2.0-or-later"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "glib"
  depends_on "wireshark"

  def install
    # Homebrew's folders are written by the formula's own prefix alone: tshark is told where the plugin is.
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DSCTPA_TESTS=OFF", "-DSCTPA_UI=OFF",
           "-DSCTPA_PLUGIN_DIR=#{lib}/wireshark/plugins", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build", "--component", "plugin"
    system "cmake", "--install", "build", "--component", "documents"
  end

  def caveats
    <<~EOS
      For tshark to find the plugin, link it into your folder (`tshark -G folders`
      says which is that of personal plugins):
        #{lib}/wireshark/plugins/epan/sctp_analysis.so
    EOS
  end

  test do
    assert_path_exists lib/"wireshark/plugins/epan/sctp_analysis.so"
  end
end
